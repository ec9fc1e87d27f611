-- How many calls a session or a machine has made in the current second, over all apis (Access 2.5). After a crash of the database
-- counting begins anew, so the table is not logged.
create unlogged table call_counts (
  -- 'session 12' or 'machine 3'
  caller text primary key,
  calls integer not null,
  since timestamptz not null
) with (fillfactor = 50);
