-- Whether the caller is a run that keeps trying, so that its calls need no run behind them while one try does (D113).
alter table access.api_key add column durable boolean not null default false;
