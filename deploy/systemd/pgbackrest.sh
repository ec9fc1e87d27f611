#!/bin/sh
# Backs up the cluster with pgBackRest: $1 is full (once a week, and what is older than four of them expires then) or diff (the
# nights between). Runs as postgres on each server of the database; a standby leaves it to the primary.
set -eu
if [ "$(psql --no-psqlrc --tuples-only --no-align --dbname=postgres --command='select pg_is_in_recovery()')" = t ]; then
  echo "This is a standby: the primary backs up."
  exit 0
fi
pgbackrest --stanza=portal --type="$1" backup
# The page "State of the portal" and the alert PortalBackupMissing read this.
psql --no-psqlrc --quiet --dbname=portal --set=ON_ERROR_STOP=1 \
  --set=info="$(pgbackrest --stanza=portal --output=json info)" <<'SQL'
insert into backups (maker, bytes)
select 'pgBackRest', (:'info'::jsonb #>> '{0,backup,-1,info,repository,size}')::bigint;
SQL
