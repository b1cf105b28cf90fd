#!/bin/sh
# Run once by the image of Postgres, on a database that is new: Temporal keeps its own two, under a role of its own.
set -eu
password=$(cat /run/postgresql/TEMPORAL_POSTGRES_PASSWORD)
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<SQL
create role temporal login password '$password';
create database temporal owner temporal;
create database temporal_visibility owner temporal;
SQL
