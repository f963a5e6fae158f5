create table edition (
    digest text not null primary key check (length(digest) = 64),
    body blob not null
) strict, without rowid;

create trigger edition_is_not_changed before update on edition
begin
    select raise(abort, 'an edition is kept as it is');
end;

create trigger edition_is_not_removed before delete on edition
begin
    select raise(abort, 'an edition is kept as it is');
end;
