package dev.mooring.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
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
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Architecture rules: each holds for the product's code and fails on the fixtures in {@code
 * bad.mooring}.
 */
class ArchitectureTest {
  @Nested
  class ClaimPath extends ClaimPathRules {}

  @Nested
  class WrittenNames extends WrittenNameRules {}

  @Nested
  class Sources extends SourceRules {}

  private static final Map<String, Function<LayerRules, ArchRule>> RULES = new LinkedHashMap<>();

  static {
    RULES.put("R1 decide sees only values", LayerRules::decideSeesOnlyValues);
    RULES.put("R2 decide is replayable", LayerRules::decideIsReplayable);
    RULES.put("R2 decide has no state", LayerRules::decideHasNoState);
    RULES.put("R3 observe never executes", LayerRules::observeNeverExecutes);
    RULES.put("R3 execute never observes", LayerRules::executeNeverObserves);
    RULES.put("R3 state is passive", LayerRules::stateIsPassive);
    RULES.put("R3 explain never executes", LayerRules::explainNeverExecutes);
    RULES.put(
        "R4 controllers are independent",
        layers -> layers.controllers().controllersAreIndependent());
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
    RULES.put("R4 nothing depends on the manager", LayerRules::nothingDependsOnManager);
    RULES.put("R4 console depends on core only", LayerRules::consoleDependsOnCoreOnly);
    RULES.put("R4 test cluster is independent", LayerRules::testClusterIsIndependent);
    RULES.put("R5 SPI depends on JDK only", LayerRules::spiDependsOnJdkOnly);
    RULES.put("R5 plugins depend on SPI only", LayerRules::pluginsDependOnSpiOnly);
    RULES.put("R6 statics are final", LayerRules::staticsAreFinal);
    RULES.put("R6 statics are no executors", LayerRules::staticsAreNoExecutors);
    RULES.put("R6 Compat is never a boolean", LayerRules::compatIsNeverBoolean);
    RULES.put("R7 one package uses the Kubernetes client", LayerRules::clientIsUsedInOnePackage);
    RULES.put("R7 one package uses the MCP SDK", LayerRules::mcpSdkIsUsedInOnePackage);
    RULES.put("R7 MCP is independent of the cluster", LayerRules::mcpIsIndependentOfCluster);
    RULES.put("R7 only reporters emit", LayerRules::onlyReportersEmit);
    RULES.put("R8 Guice is used in roots only", LayerRules::guiceIsUsedInRootsOnly);
    RULES.put("R8 core uses no injection", LayerRules::coreUsesNoInjection);
    RULES.put("R9 decisions are sealed", LayerRules::decisionsAreSealed);
    RULES.put("R10 packages have no cycles", LayerRules::packagesHaveNoCycles);
    RULES.put(
        "R11 linkage errors are caught in one place", LayerRules::linkageErrorsAreCaughtInOnePlace);
    RULES.put(
        "R11 guards override every method", layers -> layers.guards().guardsOverrideEveryMethod());
    RULES.put(
        "R11 unguarded capabilities have one method",
        layers -> layers.guards().unguardedCapabilitiesHaveOneMethod());
    RULES.put("R12 class names are meaningful", LayerRules::classNamesAreMeaningful);
    RULES.put(
        "R12 handlers are named after the change",
        layers -> layers.controllers().handlersAreNamedAfterChanges());
    RULES.put("R12 plugins have one public class", LayerRules::pluginsHaveOnePublicClass);
    RULES.put("R13 queries return facts", layers -> layers.verdicts().queriesReturnFacts());
    RULES.put("R13 decide makes verdicts", layers -> layers.verdicts().verdictsAreMadeInDecide());
    RULES.put(
        "R13 outcomes are declared in decide",
        layers -> layers.verdicts().outcomesAreDeclaredInDecide());
    RULES.put(
        "R13 one class compares volume and claim",
        layers -> layers.verdicts().volumesAreComparedInOneClass());
    RULES.put("R13 verdicts are passed on", layers -> layers.shape().verdictsArePassedOn());
    RULES.put(
        "R14 controllers have six packages", layers -> layers.shape().controllersHaveSixPackages());
    RULES.put("R14 inner classes are hidden", layers -> layers.shape().innerClassesAreHidden());
    RULES.put(
        "R14 roots export needed types only",
        layers -> layers.shape().rootsExportNeededTypesOnly());
    RULES.put(
        "R14 decide sees nothing mutable", layers -> layers.shape().decideSeesNothingMutable());
    RULES.put("R14 controllers have no timers", layers -> layers.shape().controllersHaveNoTimers());
    RULES.put("R14 delays have reasons", layers -> layers.shape().delaysHaveReasons());
    RULES.put(
        "R14 back-off is computed in one class",
        layers -> layers.shape().backOffIsComputedInOneClass());
    RULES.put(
        "R14 states of world have one writer",
        layers -> layers.shape().statesOfWorldHaveOneWriter());
    RULES.put("R15 requests follow the steps", layers -> layers.requests().requestsFollowSteps());
    RULES.put(
        "R15 requests enter through http", layers -> layers.requests().requestsEnterThroughHttp());
    RULES.put("R16 execute stores nothing", layers -> layers.memory().executeStoresNothing());
    RULES.put(
        "R16 records bundle no arguments", layers -> layers.memory().recordsBundleNoArguments());
  }

  @TestFactory
  Stream<DynamicTest> rule_productCode_holds() {
    return RULES.entrySet().stream()
        .map(rule ->
            dynamicTest(
                rule.getKey(),
                () ->
                    rule.getValue()
                        .apply(new LayerRules("dev.mooring"))
                        .allowEmptyShould(false)
                        .check(ProductClasses.ALL)));
  }

  @TestFactory
  Stream<DynamicTest> rule_badFixtures_isViolated() {
    JavaClasses fixtureClasses = new ClassFileImporter().importPackages("bad.mooring");
    return RULES.entrySet().stream()
        .map(rule ->
            dynamicTest(
                rule.getKey(),
                () ->
                    assertThat(
                            rule.getValue()
                                .apply(new LayerRules("bad.mooring"))
                                .evaluate(fixtureClasses)
                                .hasViolation())
                        .as("violation on the fixtures")
                        .isTrue()));
  }

  @TestFactory
  Stream<DynamicTest> innerClassesAreHidden_useOfEachController_isDetected() {
    JavaClasses fixtureClasses = new ClassFileImporter().importPackages("bad.mooring");
    String report =
        String.join(
            "\n",
            new LayerRules("bad.mooring")
                .shape()
                .innerClassesAreHidden()
                .evaluate(fixtureClasses)
                .getFailureReport()
                .getDetails());
    return ControllerRules.CONTROLLERS.stream()
        .map(name ->
            dynamicTest(
                name,
                () ->
                    assertThat(report)
                        .containsPattern("BadPeek.*<bad[.]mooring[.]" + name + "[.]\\w+[.]")));
  }

  @Test
  void requestsFollowSteps_wrongOrder_isDetected() {
    JavaClasses fixtureClasses = new ClassFileImporter().importPackages("bad.mooring");
    String report =
        String.join(
            "\n",
            new LayerRules("bad.mooring")
                .requests()
                .requestsFollowSteps()
                .evaluate(fixtureClasses)
                .getFailureReport()
                .getDetails());
    assertThat(report)
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
                  try (JarFile openJar = new JarFile(jar.toFile())) {
                    assertThat(
                            openJar.getManifest().getMainAttributes().getValue(SpiLevel.ATTRIBUTE))
                        .isEqualTo(String.valueOf(SpiLevel.CURRENT));
                  }
                }));
  }
}
