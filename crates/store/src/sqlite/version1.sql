-- Events refer to a table whose row the same transaction has read: a foreign key would check it again
-- for every row.
CREATE TABLE tables (
    id INTEGER PRIMARY KEY,
    epoch INTEGER NOT NULL,
    last_sequence INTEGER NOT NULL,
    checkpoint INTEGER,
    closed INTEGER NOT NULL CHECK (closed IN (0, 1)),
    created_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX tables_open ON tables (id) WHERE NOT closed;

-- Rows are kept in the order of insertion, with an index beside them: a batch writes fewer pages than
-- with rows in the order of the key.
CREATE TABLE events (
    table_id INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (table_id, sequence)
) STRICT;

CREATE TABLE finished (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number INTEGER NOT NULL,
    rules TEXT NOT NULL,
    ended_ms INTEGER NOT NULL,
    summary TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;

-- The end is stored a second time, so that one index gives the pages of a history.
CREATE TABLE finished_seats (
    table_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    player INTEGER,
    name TEXT NOT NULL,
    ended_ms INTEGER NOT NULL,
    PRIMARY KEY (table_id, number, seat),
    FOREIGN KEY (table_id, number) REFERENCES finished (table_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX finished_of_player ON finished_seats (player, ended_ms, table_id, number)
    WHERE player IS NOT NULL;

CREATE TABLE sessions (
    token BLOB PRIMARY KEY CHECK (length(token) = 32),
    player INTEGER NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of_player ON sessions (player);
CREATE INDEX sessions_by_end ON sessions (expires_ms);

CREATE TABLE accounts (
    folded TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    passphrase TEXT NOT NULL,
    player INTEGER NOT NULL UNIQUE,
    created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
