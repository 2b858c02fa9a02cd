create table if not exists invoice (
	id varchar(40) primary key,
	customer varchar(100) not null,
	email varchar(200) not null,
	amount numeric(12, 2) not null,
	due_on date not null,
	receipt varchar(100)
);
create table if not exists book_entry (
	kind varchar(20) not null,
	name varchar(100) not null,
	amount numeric(12, 2) not null
);
