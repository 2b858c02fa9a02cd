--liquibase formatted sql

--changeset application:1
create schema "Ops";

--changeset application:2
create table of_the_application (id integer primary key);
