-- The kinds of what a check goes through get the names of what they are. The queue is filled again at each check.
delete from check_queue where kind in ('answers', 'whole', 'rows', 'log');
update breaches b set kind = k.name
from (values ('answers', 'idempotency_hour'), ('whole', 'database'), ('rows', 'table_blocks'), ('log', 'client_log')) as k(former, name)
where b.kind = k.former;
update check_sweeps s set kind = k.name
from (values ('answers', 'idempotency_hour'), ('rows', 'table_blocks')) as k(former, name)
where s.kind = k.former;
