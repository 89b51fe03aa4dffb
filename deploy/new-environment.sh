#!/bin/sh
# sh deploy/new-environment.sh https://billing.example.com: writes .env for docker-compose.yml, with new secrets. Changes no file that exists.
set -eu
cd "$(dirname "$0")/.."
case ${1:-} in
https://*/* | https://) fits=no ;;
https://*) fits=yes ;;
*) fits=no ;;
esac
if [ "$fits" = no ]; then
	echo "usage: sh deploy/new-environment.sh https://billing.example.com" >&2
	exit 2
fi
if [ -e .env ]; then
	echo ".env exists; it is not changed" >&2
	exit 1
fi
umask 077
secret() { od -An -N 24 -tx1 /dev/urandom | tr -d ' \n'; }
{
	echo "PUBLIC_URL=$1"
	for name in POSTGRES_PASSWORD DATABASE_PASSWORD TEMPORAL_POSTGRES_PASSWORD TIDEMARK_SECRET; do echo "$name=$(secret)"; done
} >.env
echo ".env is written; keep a copy in a safe place"
