#!/bin/sh
# Restores the backup in the folder $1: portal.dump into the empty database that DATABASE_OWNER_URL_FILE names, data.tar.gz into
# the empty folder PORTAL_DATA_DIR. Then verifies what arrived, and prints how long each step took. Also for drills: name
# another database and another folder. In the container of PostgreSQL there is no portal: the next command verifies
# (docs/operating/containers.md).
set -eu
backup=$1
database=$(cat "$DATABASE_OWNER_URL_FILE")
portal=$(cd "$(dirname "$0")/../.." && pwd)
step() {
  started=$(date +%s)
  echo "$1 ..."
  shift
  "$@"
  echo "    $(($(date +%s) - started)) s"
}

tables=$(psql --no-psqlrc --tuples-only --no-align --dbname="$database" \
  --command="select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')")
[ "$tables" -eq 0 ] || { echo "The database has $tables tables already: nothing was restored. Make an empty one (createdb)." >&2; exit 1; }
mkdir -p "$PORTAL_DATA_DIR"
[ -z "$(ls -A "$PORTAL_DATA_DIR")" ] || { echo "$PORTAL_DATA_DIR is not empty: nothing was restored. Move its content away." >&2; exit 1; }
# A mark of sending would make the old database look continuous, and payments since the backup would be made again.
if tar --list --gzip --file="$backup/data.tar.gz" | grep -qx './sending-mark.json'; then
  echo "The backup has a file sending-mark.json, which must never be restored: nothing was restored." >&2
  exit 1
fi

step "Restoring the database" pg_restore --exit-on-error --no-owner --dbname="$database" "$backup/portal.dump"
step "Restoring the data folder" tar --extract --gzip --file="$backup/data.tar.gz" --directory="$PORTAL_DATA_DIR"
[ ! -e "$backup/audit-end.json" ] || cp "$backup/audit-end.json" "$PORTAL_DATA_DIR/"
if [ -e "$portal/api/src/commands/verify.ts" ]; then
  step "Verifying" "$portal/node_modules/.bin/node" "$portal/api/src/commands/verify.ts"
else
  echo "Not verified yet: docker compose run --rm --no-deps worker node api/src/commands/verify.ts"
fi
