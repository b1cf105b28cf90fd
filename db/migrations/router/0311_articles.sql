-- The articles that operators add to those of the code (D124). Pharmacies that share a system share its articles.
create table router.article (
  pharmacy text not null,
  match text not null check (match <> ''),
  article text not null check (article <> ''),
  strength text,
  medication text,
  updated_at timestamptz not null default now()
);
create unique index article_of_match on router.article (pharmacy, lower(match));
grant select, insert, update, delete on router.article to scriptrail_router;

-- The first call of a try fixes the article, so that every call with its key orders the same.
alter table router.submission add article text;
