ALTER TABLE extension_sessions ADD COLUMN kind TEXT NOT NULL DEFAULT 'extension';

UPDATE extension_sessions SET kind = 'device' WHERE browser_id LIKE 'web-%';
