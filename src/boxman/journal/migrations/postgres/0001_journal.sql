create table row (
    table_name text collate "C" not null,
    number bigint not null check (number > 0),
    call_id text collate "C" not null,
    hash text not null check (length(hash) = 64),
    body bytea not null,
    primary key (table_name, number),
    unique (table_name, call_id)
);

create function row_is_append_only() returns trigger language plpgsql as $$
begin
    raise exception 'the journal is append-only';
end
$$;

create trigger row_is_not_changed before update or delete on row
for each row execute function row_is_append_only();

create trigger row_is_not_emptied before truncate on row
for each statement execute function row_is_append_only();

create table checkpoint (
    table_name text collate "C" not null,
    number bigint not null,
    hash text not null,
    schema integer not null,
    state bytea not null,
    primary key (table_name, number)
);

create table record (
    kind text collate "C" not null,
    key text collate "C" not null,
    value bytea not null,
    primary key (kind, key)
);
