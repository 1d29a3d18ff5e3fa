package dev.mooring.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.mooring.it.Resources;
import dev.mooring.spi.SpiLevel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Architecture rules: each holds for the product's code and fails on the fixtures in {@code
 * bad.mooring}.
 */
class ArchitectureTest {
  private static final Map<String, Function<LayerRules, ArchRule>> RULES = new LinkedHashMap<>();

  static {
    RULES.put("R1 decide sees only values", LayerRules::decideSeesOnlyValues);
    RULES.put("R2 decide is replayable", LayerRules::decideIsReplayable);
    RULES.put("R2 decide has no state", LayerRules::decideHasNoState);
    RULES.put("R3 observe never executes", LayerRules::observeNeverExecutes);
    RULES.put("R3 execute never observes", LayerRules::executeNeverObserves);
    RULES.put("R4 controllers are islands", layers -> layers.controllers().controllersAreIslands());
    RULES.put(
        "R4 controllers only declare", layers -> layers.controllers().controllersOnlyDeclare());
    RULES.put(
        "R4 controllers have no threads",
        layers -> layers.controllers().controllersHaveNoThreads());
    RULES.put(
        "R4 controllers share their ports",
        layers -> layers.controllers().controllersShareTheirPorts());
    RULES.put(
        "R4 controllers share their informers",
        layers -> layers.controllers().controllersShareTheirInformers());
    RULES.put("R4 nobody knows the manager", LayerRules::nobodyKnowsTheManager);
    RULES.put("R4 the console sees the core only", LayerRules::theConsoleSeesTheCoreOnly);
    RULES.put("R5 the promise is JDK only", LayerRules::thePromiseIsJdkOnly);
    RULES.put("R5 plugins see the promise only", LayerRules::pluginsSeeThePromiseOnly);
    RULES.put("R6 statics are final", LayerRules::staticsAreFinal);
    RULES.put("R6 no static services", LayerRules::noStaticServices);
    RULES.put("R6 Compat travels as itself", LayerRules::compatTravelsAsItself);
    RULES.put("R7 one door to Kubernetes", LayerRules::oneDoorToKubernetes);
    RULES.put("R7 one door to the protocol", LayerRules::oneDoorToTheProtocol);
    RULES.put("R7 the protocol knows no cluster", LayerRules::theProtocolKnowsNoCluster);
    RULES.put("R7 only reporters talk", LayerRules::onlyReportersTalk);
    RULES.put("R8 Guice at the edge", LayerRules::guiceAtTheEdge);
    RULES.put("R8 no injection in the core", LayerRules::noInjectionInTheCore);
    RULES.put("R9 answers are closed", LayerRules::answersAreClosed);
    RULES.put("R10 no cycles", LayerRules::noCycles);
    RULES.put("R11 only nets catch linkage errors", LayerRules::onlyNetsCatchLinkage);
    RULES.put("R11 guards guard all", layers -> layers.guards().guardsOverrideEveryMethod());
    RULES.put(
        "R11 no guard, one method", layers -> layers.guards().abilitiesWithoutGuardHaveOneMethod());
    RULES.put("R12 no junk drawers", LayerRules::noJunkDrawers);
    RULES.put(
        "R12 handlers say what changed", layers -> layers.controllers().handlersSayWhatChanged());
    RULES.put("R12 plugins have one public face", LayerRules::pluginsHaveOneFace);
    RULES.put("R13 who asks tells a fact", layers -> layers.verdicts().whoAsksTellsAFact());
    RULES.put("R13 decide makes verdicts", layers -> layers.verdicts().verdictsAreMadeInDecide());
    RULES.put("R13 answers stand in decide", layers -> layers.verdicts().answersStandInDecide());
    RULES.put("R13 one place says what fits", layers -> layers.verdicts().fitIsComparedOnce());
    RULES.put("R13 verdicts are handed on", layers -> layers.shape().verdictsAreHandedOn());
    RULES.put("R14 four packages", layers -> layers.shape().fourPackages());
    RULES.put("R14 insides are hidden", layers -> layers.shape().insidesAreHidden());
    RULES.put("R14 roots show what is needed", layers -> layers.shape().rootsShowWhatIsNeeded());
    RULES.put("R14 decide: nothing mutable", layers -> layers.shape().decideSeesNothingMutable());
    RULES.put("R14 no timers", layers -> layers.shape().controllersHaveNoTimers());
    RULES.put("R14 delays have reasons", layers -> layers.shape().delaysHaveReasons());
    RULES.put("R14 one writer", layers -> layers.shape().oneWriterOfTheActualState());
    RULES.put("R15 requests go on", layers -> layers.requests().requestsGoOn());
    RULES.put(
        "R15 requests come in at the front",
        layers -> layers.requests().requestsComeInAtTheFront());
  }

  @TestFactory
  Stream<DynamicTest> rule_productCode_holds() {
    JavaClasses ours =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.mooring");
    return RULES.entrySet().stream()
        .map(rule ->
            dynamicTest(
                rule.getKey(),
                () ->
                    rule.getValue()
                        .apply(new LayerRules("dev.mooring"))
                        .allowEmptyShould(false)
                        .check(ours)));
  }

  @TestFactory
  Stream<DynamicTest> rule_fixtures_isViolated() {
    JavaClasses bad = new ClassFileImporter().importPackages("bad.mooring");
    return RULES.entrySet().stream()
        .map(rule ->
            dynamicTest(
                rule.getKey(),
                () ->
                    assertThat(
                            rule.getValue()
                                .apply(new LayerRules("bad.mooring"))
                                .evaluate(bad)
                                .hasViolation())
                        .as("violation on the fixtures")
                        .isTrue()));
  }

  @TestFactory
  Stream<DynamicTest> insidesAreHidden_eachController_detectsUse() {
    JavaClasses bad = new ClassFileImporter().importPackages("bad.mooring");
    String seen =
        String.join(
            "\n",
            new LayerRules("bad.mooring")
                .shape()
                .insidesAreHidden()
                .evaluate(bad)
                .getFailureReport()
                .getDetails());
    return ControllerRules.CONTROLLERS.stream()
        .map(name ->
            dynamicTest(
                name,
                () ->
                    assertThat(seen)
                        .containsPattern("BadPeek.*<bad[.]mooring[.]" + name + "[.]\\w+[.]")));
  }

  @Test
  void requestsGoOn_wrongOrder_isDetected() {
    JavaClasses bad = new ClassFileImporter().importPackages("bad.mooring");
    String seen =
        String.join(
            "\n",
            new LayerRules("bad.mooring")
                .requests()
                .requestsGoOn()
                .evaluate(bad)
                .getFailureReport()
                .getDetails());
    assertThat(seen)
        .containsPattern("http[.]read[.]BadRead.*http[.]route[.]BadRoute")
        .containsPattern("http[.]detour[.]BadDetour is on no known step")
        .containsPattern("store[.]BadStore.*http[.]read[.]BadRead")
        .doesNotContainPattern("http[.]route[.]BadRoute.*http[.]read[.]BadRead");
  }

  @TestFactory
  Stream<DynamicTest> pluginJar_manifest_namesSpiLevel() {
    Path plugins = Resources.distribution().resolveSibling("plugins");
    List<Path> jars =
        List.of(
            plugins.resolve("plugins-hostpath.jar"),
            plugins.resolve("plugins-nfs.jar"),
            plugins.resolve("plugins-local-path").resolve("plugins-local-path.jar"),
            plugins.resolve("plugins-csi-bridge").resolve("plugins-csi-bridge.jar"));
    return jars.stream()
        .map(jar ->
            dynamicTest(
                jar.getFileName().toString(),
                () -> {
                  try (JarFile file = new JarFile(jar.toFile())) {
                    assertThat(file.getManifest().getMainAttributes().getValue(SpiLevel.ATTRIBUTE))
                        .isEqualTo(String.valueOf(SpiLevel.CURRENT));
                  }
                }));
  }
}
