-- What quotas and sweeps need to know of a log without its events: who opened it, when it got its last
-- event, how many bytes its events have, and up to which of them it is archived.
ALTER TABLE tables ADD COLUMN owner bigint;
ALTER TABLE tables ADD COLUMN last_ms bigint NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN archived bigint NOT NULL DEFAULT 0;
CREATE INDEX tables_of_owner ON tables (owner) WHERE owner IS NOT NULL AND NOT closed;

-- Who sits where. The server fills it for open tables of an earlier version, as only it can read them.
CREATE TABLE seats (
    player bigint NOT NULL,
    table_id bigint NOT NULL,
    PRIMARY KEY (player, table_id)
);
CREATE INDEX seats_of_table ON seats (table_id);
ALTER TABLE tables ADD COLUMN seats_known boolean NOT NULL DEFAULT FALSE;
CREATE INDEX tables_without_seats ON tables (id) WHERE NOT seats_known;

UPDATE tables SET
    last_ms = coalesce(
        (SELECT at_ms FROM events WHERE table_id = tables.id AND sequence = last_sequence),
        created_ms),
    bytes = coalesce(
        (SELECT sum(octet_length(body)) FROM events WHERE table_id = tables.id), 0),
    seats_known = closed OR ledger;

-- The compressed events of logs that have been quiet for long.
CREATE TABLE archives (
    table_id bigint PRIMARY KEY,
    body bytea NOT NULL
);

-- The time that the servers of this database trust; one row.
CREATE TABLE trusted_time (
    id bigint PRIMARY KEY CHECK (id = 1),
    at_ms bigint NOT NULL
);
