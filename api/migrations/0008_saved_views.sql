-- What a person filtered, sorted and searched in a list, under a name of her own. `list` is the address of the page with
-- `:id` instead of numbers, and `query` what follows its question mark. Neither can name another place.
create table saved_views (
  id bigint primary key generated always as identity,
  user_id bigint not null references users (id),
  list text not null,
  name text not null,
  query text not null,
  created_at timestamptz not null default now(),
  version integer not null default 1,
  constraint saved_views_list_check check (length(list) <= 200 and list ~ '^(/[a-z0-9:_-]+)+$'),
  constraint saved_views_name_check check (length(trim(name)) between 1 and 60),
  constraint saved_views_query_check check (length(query) <= 1000 and query !~ '[[:space:]/\\?#]'),
  -- What a start page refers to, so that it is a view of the same person.
  constraint saved_views_owner_key unique (id, user_id)
);
create unique index saved_views_name_key on saved_views (user_id, list, lower(name));
create trigger saved_views_version before update on saved_views for each row
  when ((old.name, old.query) is distinct from (new.name, new.query))
  execute function count_version();

-- The page that opens after the sign-in of a person who chose one: an address of the portal, or one of her views.
create table start_pages (
  user_id bigint primary key references users (id),
  path text,
  view_id bigint,
  constraint start_pages_one_check check (num_nonnulls(path, view_id) = 1),
  constraint start_pages_path_check check (length(path) <= 200 and path ~ '^(/[a-z0-9_-]+)+$'),
  constraint start_pages_view_fkey foreign key (view_id, user_id) references saved_views (id, user_id) on delete cascade
);
create index start_pages_view_index on start_pages (view_id) where view_id is not null;
