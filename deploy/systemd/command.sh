#!/bin/sh
# Runs a command of the portal as the units run: with its account, its settings and its secrets.
#   command.sh verify
#   command.sh registry revoke MODULE VERSION --reason "..."
# PORTAL_SECRETS names another folder of secrets, such as one that names another server of the database.
set -eu
[ $# -gt 0 ] || { echo "Usage: command.sh NAME [words]. Names: registry, and the files of api/src/commands." >&2; exit 1; }
name=$1
shift
portal=/opt/portal/current
secrets=${PORTAL_SECRETS:-/etc/portal/secrets}
case $name in
  registry) script=deploy/registry/src/command.ts ;;
  *) script=api/src/commands/$name.ts ;;
esac
[ -e "$portal/$script" ] || { echo "There is no command $name: $portal/$script is not there." >&2; exit 1; }
settings='DATABASE_URL_FILE=$CREDENTIALS_DIRECTORY/database PORTAL_SECRET_FILE=$CREDENTIALS_DIRECTORY/secret'
set -- "$portal/node_modules/.bin/node" "$script" "$@"
# Whoever changes what nobody else may change does it as the owner of the database.
case $name in
  audit-erase | person-erase | secret-rotate)
    settings="$settings DATABASE_OWNER_URL_FILE=\$CREDENTIALS_DIRECTORY/database-owner"
    owner="--property=LoadCredential=database-owner:$secrets/database-owner"
    ;;
esac
# Those that not every portal has: of a store, and while the secret is changed.
more=
for each in S3_SECRET:s3-secret PORTAL_SECRET_NEXT:secret-next PORTAL_SECRET_FORMER:secret-former; do
  file=${each#*:}
  [ -e "$secrets/$file" ] || continue
  settings="$settings ${each%:*}_FILE=\$CREDENTIALS_DIRECTORY/$file"
  more="$more --property=LoadCredential=$file:$secrets/$file"
done
# In a terminal it may ask; otherwise it reads its standard input.
if [ -t 0 ] && [ -t 1 ]; then through=--pty; else through=--pipe; fi
# On several servers worker.env names the data folder of the workers, whose files commands read.
exec systemd-run --quiet --wait --collect $through ${owner:-} $more --working-directory="$portal" \
  --property=User=portal --property=Group=portal --property=UMask=0077 \
  --property=EnvironmentFile=/etc/portal/portal.env --property=EnvironmentFile=-/etc/portal/worker.env \
  --property="LoadCredential=database:$secrets/database" --property="LoadCredential=secret:$secrets/secret" \
  sh -c "$settings exec \"\$@\"" sh "$@"
