create table edition (
    digest text collate "C" not null primary key check (length(digest) = 64),
    body bytea not null
);

create function edition_is_kept() returns trigger language plpgsql as $$
begin
    raise exception 'an edition is kept as it is';
end
$$;

create trigger edition_is_not_changed before update or delete on edition
for each row execute function edition_is_kept();

create trigger edition_is_not_emptied before truncate on edition
for each statement execute function edition_is_kept();
