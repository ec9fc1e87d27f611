#!/bin/sh
# Dumps the database, then copies the data folder, into a new folder of $1 (/var/lib/portal-backups), and keeps 14 of them.
# The database comes first: files are written before the rows that refer to them, so every row of the dump has its file.
set -eu
target=${1:-/var/lib/portal-backups}
now=$(date -u +%Y%m%dT%H%M%SZ)
mkdir "$target/$now.unfinished"
# The kept end of the audit log comes before the database: one that is newer than the dump would say that entries are missing.
[ ! -e "$PORTAL_DATA_DIR/audit-end.json" ] || cp "$PORTAL_DATA_DIR/audit-end.json" "$target/$now.unfinished/"
pg_dump --format=custom --file="$target/$now.unfinished/portal.dump" --dbname="$(cat "$DATABASE_OWNER_URL_FILE")"
# Without the mark of sending: a restored mark would agree with the restored database, and payments since then would be made
# again. A missing one holds sending. Status 1 of tar means that a file was replaced meanwhile, as logs are.
tar --create --gzip --file="$target/$now.unfinished/data.tar.gz" --exclude=./files/temp --exclude=./sending-mark.json \
  --exclude=./audit-end.json --directory="$PORTAL_DATA_DIR" . || [ $? -eq 1 ]
mv "$target/$now.unfinished" "$target/$now"
# The page "State of the portal" and the alert PortalBackupMissing read this.
psql --no-psqlrc --quiet --dbname="$(cat "$DATABASE_OWNER_URL_FILE")" --set=ON_ERROR_STOP=1 \
  --command="insert into backups (maker, bytes) values ('pg_dump', $(du --summarize --bytes "$target/$now" | cut -f1))"
find "$target" -mindepth 1 -maxdepth 1 -type d -name '*Z' | sort -r | tail -n +15 | xargs -r rm -r
echo "Backed up into $target/$now"
