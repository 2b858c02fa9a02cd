create schema "Ops";
create table of_the_application (id integer primary key);
