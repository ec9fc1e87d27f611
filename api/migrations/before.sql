-- What the tables lean on: extensions, and the one function that folds case and accents for searches.
create extension if not exists unaccent;
create extension if not exists pg_trgm;

-- unaccent() itself is only stable, for its dictionary could be changed; named in full it is as good as immutable.
create or replace function portal_search(text) returns text
  language sql immutable strict parallel safe
  as $$ select lower(public.unaccent('public.unaccent'::regdictionary, $1)) $$;
