package dev.tandem.hub;

import dev.tandem.protocol.Json;

/** This build's version and the extension it belongs to. */
final class Version {
    private Version() {}

    static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "0.1.0" : version;
    }

    /** The id that the manifest's key pins. */
    static String extensionId() {
        return Json.resource("identity.json").get("extensionId").asString();
    }
}
