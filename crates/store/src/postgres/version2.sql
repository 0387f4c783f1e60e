-- Contests and score sheets are also stored as events, but they are not tables: they are not claimed at
-- start, and they are not closed when they are quiet.
ALTER TABLE tables ADD COLUMN ledger boolean NOT NULL DEFAULT FALSE;
DROP INDEX tables_open;
CREATE INDEX tables_open ON tables (id) WHERE NOT closed AND NOT ledger;
