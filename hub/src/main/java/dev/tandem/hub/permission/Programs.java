package dev.tandem.hub.permission;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.browser.OpsClient;

/** Programs with a token of their own, as the desk knows them. Any thread may call it. */
record Programs(PermissionDesk desk) {
    /** Who asks; act mode works inside the fence of what the user named or allowed. */
    Ask.Who who(OpsClient client) {
        Caller caller = client.caller();
        desk.lapse(client.key());
        return new Ask.Who(
                client.door().word(), client.key(), caller.name(), "", caller.mode(), "");
    }

    void heard(String key) {
        desk.lapse(key);
    }
}
