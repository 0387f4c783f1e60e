-- Events refer to a table whose row the same transaction has locked: a foreign key would check it again
-- for every row. Free space in the pages lets every append rewrite a row in place.
CREATE TABLE tables (
    id bigint PRIMARY KEY,
    epoch bigint NOT NULL,
    last_sequence bigint NOT NULL,
    checkpoint bigint,
    closed boolean NOT NULL,
    created_ms bigint NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX tables_open ON tables (id) WHERE NOT closed;

CREATE TABLE events (
    table_id bigint NOT NULL,
    sequence bigint NOT NULL,
    at_ms bigint NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (table_id, sequence)
);

CREATE TABLE finished (
    table_id bigint NOT NULL REFERENCES tables (id),
    number bigint NOT NULL,
    rules text NOT NULL,
    ended_ms bigint NOT NULL,
    summary text NOT NULL,
    PRIMARY KEY (table_id, number)
);

-- The end is stored a second time, so that one index gives the pages of a history.
CREATE TABLE finished_seats (
    table_id bigint NOT NULL,
    number bigint NOT NULL,
    seat bigint NOT NULL,
    player bigint,
    name text NOT NULL,
    ended_ms bigint NOT NULL,
    PRIMARY KEY (table_id, number, seat),
    FOREIGN KEY (table_id, number) REFERENCES finished (table_id, number)
);
CREATE INDEX finished_of_player ON finished_seats (player, ended_ms, table_id, number)
    WHERE player IS NOT NULL;

CREATE TABLE sessions (
    token bytea PRIMARY KEY CHECK (length(token) = 32),
    player bigint NOT NULL,
    kind text NOT NULL,
    label text NOT NULL,
    created_ms bigint NOT NULL,
    expires_ms bigint NOT NULL
);
CREATE INDEX sessions_of_player ON sessions (player);
CREATE INDEX sessions_by_end ON sessions (expires_ms);

CREATE TABLE accounts (
    folded text PRIMARY KEY,
    name text NOT NULL,
    passphrase text NOT NULL,
    player bigint NOT NULL UNIQUE,
    created_ms bigint NOT NULL
);
