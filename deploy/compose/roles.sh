#!/bin/sh
# Makes the two roles and the database on the server $1 if they are not there, and gives the roles the passwords of the
# secrets, so that a new password needs nothing else.
set -eu
# An assignment of its own ends the script when the file cannot be read.
password() {
  sed -nE 's#^postgres(ql)?://[^:]+:([^@]+)@.*#\2#p' "/run/secrets/$1"
}
owner=$(password database-owner)
app=$(password database)
for each in "$owner" "$app"; do
  [ -n "$each" ] || { echo "database and database-owner are addresses like postgresql://role:password@database:5432/portal: one has no password." >&2; exit 1; }
done
PGPASSWORD=$(cat /run/secrets/superuser)
export PGPASSWORD
psql --no-psqlrc --quiet --host "$1" --username postgres --set ON_ERROR_STOP=1 --set owner="$owner" --set app="$app" <<'SQL'
select format('create role %I login', name) from unnest(array['portal_owner', 'portal_app']) name
where not exists (select from pg_roles where rolname = name) \gexec
alter role portal_owner password :'owner';
alter role portal_app password :'app';
select 'create database portal owner portal_owner encoding ''UTF8'' template template0'
where not exists (select from pg_database where datname = 'portal') \gexec
SQL
