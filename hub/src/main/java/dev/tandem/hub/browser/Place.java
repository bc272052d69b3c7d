package dev.tandem.hub.browser;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a call would act.
 *
 * @param tab the target; empty when the call has none yet
 * @param url the address of its document; empty when there is none
 */
public record Place(String tab, String url) {
    public static final Place NOWHERE = new Place("", "");

    /** What is decided holds for the place that was looked at, wherever the tab is by then. */
    static Supplier<Place> once(Supplier<Place> look) {
        AtomicReference<@Nullable Place> found = new AtomicReference<>();
        return () -> {
            Place known = found.get();
            if (known == null) {
                known = look.get();
                found.set(known);
            }
            return known;
        };
    }
}
