package dev.tandem.hub.browser;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something that is found out late and then stays: what was decided holds for what was seen. */
final class Once<T> implements Supplier<T> {
    private final Supplier<T> look;
    private final AtomicReference<@Nullable T> found = new AtomicReference<>();

    Once(Supplier<T> look) {
        this.look = look;
    }

    @Override
    public T get() {
        T known = found.get();
        if (known == null) {
            known = look.get();
            found.set(known);
        }
        return known;
    }
}
