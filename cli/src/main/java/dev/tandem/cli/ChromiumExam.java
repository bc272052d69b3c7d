package dev.tandem.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The part of the doctor's look that is about the program of managed browsers. */
final class ChromiumExam {
    private static final String WHAT = "Chromium";

    private final Map<String, String> environment;
    private final HubExam.Report report;

    ChromiumExam(Map<String, String> environment, HubExam.Report report) {
        this.environment = environment;
        this.report = report;
    }

    /**
     * @param state where it would have to read
     */
    void run(Path state) {
        String named = environment.getOrDefault("TANDEM_CHROMIUM", "");
        Optional<Path> found =
                named.isEmpty()
                        ? ChromiumPrograms.find(environment)
                        : Optional.of(Path.of(named)).filter(Files::isExecutable);
        if (found.isPresent()) {
            there(found.get(), state);
        } else if (named.isEmpty()) {
            report.add(
                    WHAT,
                    Doctor.Verdict.NOTE,
                    "none on the PATH",
                    "Only needed for a managed browser: sudo apt-get install chromium");
        } else {
            report.add(
                    WHAT,
                    Doctor.Verdict.WRONG,
                    named + " cannot be run",
                    "Set TANDEM_CHROMIUM to a Chromium that exists, or unset it.");
        }
    }

    private void there(Path program, Path state) {
        if (ChromiumPrograms.isSnap(program) && isHidden(state)) {
            report.add(
                    WHAT,
                    Doctor.Verdict.NOTE,
                    program + " is a snap, which may not read hidden folders of your home",
                    "For a managed browser: " + ChromiumPrograms.BESIDE_SNAPS);
        } else {
            report.add(WHAT, Doctor.Verdict.OK, program.toString(), "");
        }
    }

    private static boolean isHidden(Path place) {
        for (Path name : place.toAbsolutePath()) {
            if (name.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }
}
