#!/bin/sh
# Makes the two roles and the database, once, when the volume of PostgreSQL is new.
set -eu
password() { sed -E 's#^postgres(ql)?://[^:]+:([^@]+)@.*#\2#' "/run/secrets/$1"; }
psql --username postgres --set ON_ERROR_STOP=1 --set owner="$(password database-owner)" --set app="$(password database)" <<'SQL'
create role portal_owner login password :'owner';
create role portal_app login password :'app';
create database portal owner portal_owner encoding 'UTF8' template template0;
SQL
