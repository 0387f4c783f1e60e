-- Contests and score sheets are kept as events, too, but they are no tables: nobody claims them at a start,
-- and they are not closed when they are quiet.
ALTER TABLE tables ADD COLUMN ledger INTEGER NOT NULL DEFAULT 0 CHECK (ledger IN (0, 1));
DROP INDEX tables_open;
CREATE INDEX tables_open ON tables (id) WHERE NOT closed AND NOT ledger;
