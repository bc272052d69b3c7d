ALTER TABLE extension_tool_permissions ADD COLUMN seal TEXT NOT NULL DEFAULT '';
