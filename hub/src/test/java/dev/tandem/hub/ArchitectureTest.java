package dev.tandem.hub;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The boundaries of the hub, kept by a machine. */
class ArchitectureTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("dev.tandem");

    @Test
    void theScanSeesTheHub() {
        assertThat(CLASSES.size()).isGreaterThan(50);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("dev.tandem.hub.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void onlyWebKnowsTheHttpLibrary() {
        noClasses()
                .that()
                .resideInAPackage("dev.tandem.hub..")
                .and()
                .resideOutsideOfPackage("dev.tandem.hub.web..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.eclipse.jetty..")
                .check(CLASSES);
    }

    // OPS-19: two channels, two packages, nothing of one in the other.
    @Test
    void annotationsAndToolsShareNothing() {
        noClasses()
                .that()
                .resideInAPackage("dev.tandem.hub.annotation..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.tandem.hub.ops..", "dev.tandem.hub.browser..", "dev.tandem.hub.mcp..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.tandem.hub.ops..", "dev.tandem.hub.browser..", "dev.tandem.hub.mcp..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.tandem.hub.annotation..")
                .check(CLASSES);
    }

    // OPS-28, OPS-29: a tool does not know how its browser came to be; who lists browsers and
    // sessions tells it, and nobody else asks
    @Test
    void fewAskForTheModeOfABrowser() {
        String lists = "CliTools|browser\\.(Browser|Browsers|OpsSession|RelayStatus|SessionTools)";
        noClasses()
                .that()
                .haveNameNotMatching("dev\\.tandem\\.hub\\.(" + lists + ")")
                .should()
                .callMethod("dev.tandem.hub.browser.Browser", "mode")
                .orShould()
                .callMethod("dev.tandem.hub.browser.Browser$Facts", "mode")
                .orShould()
                .callMethod("dev.tandem.hub.browser.OpsSession", "sessionMode")
                .check(CLASSES);
    }

    // TRM-050: a token of one kind is nothing to the others, as none of them looks at another
    @Test
    void registriesOfTokensDoNotKnowEachOther() {
        List<String> registries =
                List.of(
                        "AttachTokens",
                        "TerminalTokens",
                        "ViewTokens",
                        "PickerSessions",
                        "ClientTokens",
                        "ExtensionTokens",
                        "HubToken");
        for (String registry : registries) {
            String others =
                    registries.stream()
                            .filter(name -> !name.equals(registry))
                            .collect(Collectors.joining("|", "dev\\.tandem\\.hub\\..*\\.(", ")"));
            noClasses()
                    .that()
                    .haveSimpleName(registry)
                    .should()
                    .dependOnClassesThat()
                    .haveNameMatching(others)
                    .check(CLASSES);
        }
    }

    @Test
    void onlyTheStoreKnowsSql() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.tandem.hub.store..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.sqlite..", "org.postgresql..", "com.zaxxer..")
                .check(CLASSES);
    }

    @Test
    void theCliNeverSeesTheHub() {
        noClasses()
                .that()
                .resideInAPackage("dev.tandem.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.tandem.hub..")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void onlyAppWires() {
        noClasses()
                .that()
                .resideInAPackage("dev.tandem.hub.*..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("dev.tandem.hub.App")
                .check(CLASSES);
    }

    @Test
    void endpointsHoldOnlyFinalCollaborators() {
        com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields()
                .that()
                .areDeclaredInClassesThat()
                .haveSimpleNameEndingWith("Endpoint")
                .should()
                .beFinal()
                .check(CLASSES);
    }

    @Test
    void everyPackageSaysWhatItIs() {
        classes()
                .that()
                .haveSimpleName("package-info")
                .should()
                .beAnnotatedWith("org.jspecify.annotations.NullMarked")
                .check(CLASSES);
        List<String> silent =
                CLASSES.stream()
                        .filter(type -> !type.getModifiers().contains(JavaModifier.SYNTHETIC))
                        .map(type -> type.getPackage())
                        .distinct()
                        .filter(pack -> pack.tryGetPackageInfo().isEmpty())
                        .map(pack -> pack.getName())
                        .toList();
        assertThat(silent).isEmpty();
    }

    @Test
    void everyTestClassIsFoundByTheRunner() throws IOException {
        try (var files = Files.walk(Path.of("src/test/java"))) {
            List<String> misnamed =
                    files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> !file.toString().endsWith("Test.java"))
                            .filter(ArchitectureTest::hasTests)
                            .map(Path::toString)
                            .toList();
            assertThat(misnamed).isEmpty();
        }
    }

    private static boolean hasTests(Path file) {
        try {
            return Files.readString(file)
                    .matches("(?s).*@(Test|TestFactory|ParameterizedTest)\\b.*");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
