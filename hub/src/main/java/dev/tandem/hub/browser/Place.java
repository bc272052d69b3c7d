package dev.tandem.hub.browser;

/**
 * Where a call would act.
 *
 * @param tab the target; empty when the call has none yet
 * @param url the address of its document; empty when there is none
 */
public record Place(String tab, String url) {
    public static final Place NOWHERE = new Place("", "");
}
