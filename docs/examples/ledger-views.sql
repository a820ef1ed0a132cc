-- Views of a gatewright ledger in SQLite, for a shell or a notebook. They are temporary: nothing is written.
--   sqlite3 -readonly -init ledger-views.sql ledger.db

CREATE TEMP VIEW decisions AS
SELECT id, datetime(at, 'unixepoch') AS time, kind, decision, reason, agents, runtime,
       CASE WHEN json_valid(CAST(line AS TEXT)) THEN CAST(line AS TEXT) ->> 'model' END AS model,
       CASE WHEN json_valid(CAST(line AS TEXT)) THEN CAST(line AS TEXT) ->> 'tier' END AS tier,
       CASE WHEN json_valid(CAST(line AS TEXT)) THEN CAST(line AS TEXT) ->> 'actor' END AS actor,
       substr(contract, 1, 12) AS contract, nth, job_id, settled_by, taken_up
FROM rows;

CREATE TEMP VIEW denials AS
SELECT reason, count(*) AS denials, max(datetime(at, 'unixepoch')) AS newest
FROM rows WHERE decision = 'DENY' GROUP BY reason ORDER BY denials DESC;

CREATE TEMP VIEW used_in_a_day AS
SELECT name AS account, sum(agents) AS agents, count(*) AS checks
FROM rows JOIN accounts ON accounts.id = rows.account
WHERE at >= (SELECT time FROM state) - 86400 GROUP BY name ORDER BY agents DESC;

CREATE TEMP VIEW not_registered AS
SELECT id, datetime(at, 'unixepoch') AS time, runtime, contract, nth, agents
FROM rows WHERE nth IS NOT NULL AND settled_by IS NULL ORDER BY id DESC;

CREATE TEMP VIEW unattested AS
SELECT id, datetime(at, 'unixepoch') AS time, kind, CAST(line AS TEXT) AS line
FROM rows WHERE taken_up = 1;

CREATE TEMP VIEW overridden AS
SELECT id, datetime(at, 'unixepoch') AS time, CAST(line AS TEXT) ->> 'tier_override' AS reason,
       CAST(line AS TEXT) ->> 'model' AS model, agents
FROM rows WHERE kind = 'check' AND json_valid(CAST(line AS TEXT))
      AND CAST(line AS TEXT) ->> 'tier_override' IS NOT NULL;
