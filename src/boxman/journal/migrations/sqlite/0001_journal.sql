create table row (
    table_name text not null,
    number integer not null check (number > 0),
    call_id text not null,
    hash text not null check (length(hash) = 64),
    body blob not null,
    primary key (table_name, number)
) strict, without rowid;

create unique index row_by_call on row (table_name, call_id);

create trigger row_is_not_changed before update on row
begin
    select raise(abort, 'the journal is append-only');
end;

create trigger row_is_not_removed before delete on row
begin
    select raise(abort, 'the journal is append-only');
end;

create table checkpoint (
    table_name text not null,
    number integer not null,
    hash text not null,
    schema integer not null,
    state blob not null,
    primary key (table_name, number)
) strict, without rowid;

create table record (
    kind text not null,
    key text not null,
    value blob not null,
    primary key (kind, key)
) strict, without rowid;
