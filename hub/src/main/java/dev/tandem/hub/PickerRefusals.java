package dev.tandem.hub;

import dev.tandem.hub.annotation.Annotations;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.permission.PermissionGate;
import tools.jackson.databind.node.ObjectNode;

/** Counts pickers that a person closed among the refusals of whoever opened them. */
record PickerRefusals(PermissionGate gate) implements Annotations.Refusals {
    @Override
    public boolean welcome(Caller caller, ObjectNode question) {
        return gate.welcome(caller, question);
    }

    @Override
    public void turnedAway(Caller caller, ObjectNode question) {
        gate.turnedAway(caller, question);
    }
}
