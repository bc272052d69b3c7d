package dev.tandem.hub.ambient;

import java.time.DayOfWeek;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Five fields that say when: minute, hour, day of month, month, day of week. */
record Cron(BitSet minutes, BitSet hours, BitSet days, BitSet months, BitSet weekdays) {
    private static final List<String> MONTHS =
            List.of(
                    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
                    "dec");
    private static final List<String> DAYS =
            List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
    private static final int HORIZON_DAYS = 366 * 5;

    static Cron parse(String text) {
        String spelled =
                switch (text.strip().toLowerCase(Locale.ROOT)) {
                    case "@hourly" -> "0 * * * *";
                    case "@daily", "@midnight" -> "0 0 * * *";
                    case "@weekly" -> "0 0 * * 0";
                    case "@monthly" -> "0 0 1 * *";
                    case "@yearly", "@annually" -> "0 0 1 1 *";
                    default -> text.strip().toLowerCase(Locale.ROOT);
                };
        String[] parts = spelled.split("\\s+");
        if (parts.length != 5) {
            throw Problems.invalid("schedule must have five fields: " + text);
        }
        BitSet weekdays = field(parts[4], 0, 7, DAYS, 0);
        if (weekdays.get(7)) {
            weekdays.set(0);
        }
        return new Cron(
                field(parts[0], 0, 59, List.of(), 0),
                field(parts[1], 0, 23, List.of(), 0),
                field(parts[2], 1, 31, List.of(), 0),
                field(parts[3], 1, 12, MONTHS, 1),
                weekdays);
    }

    /** The first such minute after that moment; empty when there is none in five years. */
    Optional<ZonedDateTime> next(ZonedDateTime after) {
        ZonedDateTime at = after.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
        ZonedDateTime horizon = after.plusDays(HORIZON_DAYS);
        while (at.isBefore(horizon)) {
            if (!day(at)) {
                at = at.truncatedTo(ChronoUnit.DAYS).plusDays(1);
            } else if (!hours.get(at.getHour())) {
                at = at.truncatedTo(ChronoUnit.HOURS).plusHours(1);
            } else if (!minutes.get(at.getMinute())) {
                at = at.plusMinutes(1);
            } else if (told(at)) {
                at = at.plusMinutes(1);
            } else {
                return Optional.of(at);
            }
        }
        return Optional.empty();
    }

    /** When clocks are put back, an hour comes twice: what has its hour comes once. */
    private boolean told(ZonedDateTime at) {
        return hours.cardinality() < 24 && !at.equals(at.withEarlierOffsetAtOverlap());
    }

    /** As everywhere: with both kinds of day given, either is enough. */
    private boolean day(ZonedDateTime at) {
        if (!months.get(at.getMonthValue())) {
            return false;
        }
        boolean anyDay = days.cardinality() == 31;
        boolean anyWeekday = weekdays.get(0, 7).cardinality() == 7;
        boolean ofMonth = days.get(at.getDayOfMonth());
        DayOfWeek weekday = at.getDayOfWeek();
        boolean ofWeek = weekdays.get(weekday.getValue() % 7);
        return (anyDay || anyWeekday) ? (ofMonth && ofWeek) : (ofMonth || ofWeek);
    }

    private static BitSet field(String text, int low, int high, List<String> names, int first) {
        BitSet set = new BitSet();
        for (String part : text.split(",", -1)) {
            String[] stepped = part.split("/", 2);
            int step = stepped.length == 2 ? number(stepped[1], List.of(), 0, text) : 1;
            int from = low;
            int to = high;
            if (!stepped[0].equals("*")) {
                String[] range = stepped[0].split("-", 2);
                from = number(range[0], names, first, text);
                to = range.length == 2 ? number(range[1], names, first, text) : from;
                if (stepped.length == 2 && range.length == 1) {
                    to = high;
                }
            }
            if (step < 1 || from < low || to > high || from > to) {
                throw Problems.invalid("schedule has a field that cannot be: " + text);
            }
            for (int value = from; value <= to; value += step) {
                set.set(value);
            }
        }
        return set;
    }

    private static int number(String text, List<String> names, int first, String field) {
        int named = names.indexOf(text);
        if (named >= 0) {
            return named + first;
        }
        if (!text.matches("\\d{1,4}")) {
            throw Problems.invalid("schedule has a field that cannot be: " + field);
        }
        return Integer.parseInt(text);
    }
}
