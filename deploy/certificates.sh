#!/bin/sh
# Makes an authority of your own, and certificates by it: certificates.sh <folder> <file>=<name>[,<name>…] …
#   certificates.sh certs postgres=postgres temporal=temporal,internode.temporal client=scriptrail
# `client` and `client-…` open Temporal; all others are servers' and open nothing. Temporal's nodes are both to each other.
# Existing files stay, so a repeat adds only new ones: to renew one, delete its .pem first. Valid for two years, the
# authority for ten.
set -eu
umask 077
folder=$1
shift
mkdir -p "$folder"
cd "$folder"
if [ ! -f ca.pem ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj '/CN=Scriptrail authority' \
    -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign' \
    -keyout ca.key -out ca.pem
fi
for entry in "$@"; do
  file=${entry%%=*}
  names=${entry#*=}
  [ -f "$file.pem" ] && continue
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=${names%%,*}" \
    -keyout "$file.key" -out "$file.csr"
  case $file in
    client | client-*) usage=clientAuth ;;
    temporal) usage=serverAuth,clientAuth ;;
    *) usage=serverAuth ;;
  esac
  printf 'subjectAltName=DNS:%s\nextendedKeyUsage=%s\n' "$(echo "$names" | sed 's/,/,DNS:/g')" "$usage" >"$file.ext"
  openssl x509 -req -in "$file.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 730 -extfile "$file.ext" -out "$file.pem"
  rm "$file.csr" "$file.ext"
done
