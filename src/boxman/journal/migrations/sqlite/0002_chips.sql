create table chips (
    person text not null primary key,
    held integer not null check (held >= 0)
) strict, without rowid;
