create table chips (
    person text collate "C" not null primary key,
    held bigint not null check (held >= 0)
);
