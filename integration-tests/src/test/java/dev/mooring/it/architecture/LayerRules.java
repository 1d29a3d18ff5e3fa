package dev.mooring.it.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClass.Predicates;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/** Layer rules. The root package is a parameter, so that tests can apply each rule to fixtures. */
final class LayerRules {
  private static final DescribedPredicate<JavaClass> NESTED_IN_HIDDEN_CLASS =
      DescribedPredicate.describe(
          "are nested in a class that is not public",
          type ->
              type.getEnclosingClass()
                  .filter(outer -> !outer.getModifiers().contains(JavaModifier.PUBLIC))
                  .isPresent());

  private final String root;

  LayerRules(String root) {
    this.root = root;
  }

  ControllerRules controllers() {
    return new ControllerRules(root);
  }

  ShapeRules shape() {
    return new ShapeRules(root);
  }

  VerdictRules verdicts() {
    return new VerdictRules(root);
  }

  MemoryRules memory() {
    return new MemoryRules(root);
  }

  RequestRules requests() {
    return new RequestRules(root);
  }

  GuardRules guards() {
    return new GuardRules(root);
  }

  private String[] qualifyPackages(String... names) {
    String[] qualifiedNames = new String[names.length];
    for (int i = 0; i < names.length; i++) {
      qualifiedNames[i] = names[i].startsWith(".") ? root + names[i] : names[i];
    }
    return qualifiedNames;
  }

  /**
   * R1. A driver's terms, {@code Compat} and the rank of a reason are values; a driver's connection
   * is not.
   */
  ArchRule decideSeesOnlyValues() {
    return classes()
        .that()
        .resideInAPackage("..decide..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                    qualifyPackages(
                        "java.lang",
                        "java.lang.invoke",
                        "java.lang.runtime",
                        "java.util",
                        "java.util.function",
                        "java.util.regex",
                        "java.util.stream",
                        "java.nio.charset",
                        "java.time",
                        "org.jspecify.annotations",
                        ".model..",
                        ".live..",
                        ".spi.csi..",
                        "..decide.."))
                .or(name(root + ".reconcile.Compat"))
                .or(name(root + ".explain.CauseRank"))
                .and(not(assignableTo(java.time.Clock.class)))
                .and(not(Predicates.simpleNameStartingWith("CsiConnect"))));
  }

  ArchRule decideIsReplayable() {
    return noClasses()
        .that()
        .resideInAPackage("..decide..")
        .should()
        .callMethodWhere(target(name("now")))
        .orShould()
        .callMethodWhere(
            target(
                owner(
                    assignableTo(System.class)
                        .or(assignableTo(Thread.class))
                        .or(assignableTo(Random.class)))))
        .orShould()
        .callMethod(UUID.class, "randomUUID");
  }

  ArchRule decideHasNoState() {
    return fields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage("..decide..")
        .should()
        .beFinal();
  }

  ArchRule observeNeverExecutes() {
    return noClasses()
        .that()
        .resideInAPackage("..observe..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("..execute..");
  }

  /** R3: {@code state} stores; it triggers nothing. */
  ArchRule stateIsPassive() {
    return noClasses()
        .that()
        .resideInAPackage("..state..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("..observe..", "..execute..", "..explain..");
  }

  ArchRule explainNeverExecutes() {
    return noClasses()
        .that()
        .resideInAPackage("..explain..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("..execute..", "..observe..");
  }

  ArchRule executeNeverObserves() {
    return noClasses()
        .that()
        .resideInAPackage("..execute..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("..observe..");
  }

  ArchRule nothingDependsOnManager() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(root + ".manager..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(root + ".manager..");
  }

  /** R4: projects that test their own controllers depend on the server and nothing else. */
  ArchRule testClusterIsIndependent() {
    return classes()
        .that()
        .resideInAnyPackage(qualifyPackages(".apiserver..", ".junit.."))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(qualifyPackages(".apiserver..", ".junit.."))
                .or(not(resideInAnyPackage(root + ".."))));
  }

  /** R4: the console depends on no rules of controllers. */
  ArchRule consoleDependsOnCoreOnly() {
    return classes()
        .that()
        .resideInAPackage(root + ".console..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            qualifyPackages(
                "java..",
                "org.jspecify..",
                ".console..",
                ".explain..",
                ".informer..",
                ".model..",
                ".operation..",
                ".storage..",
                ".cluster..",
                ".text..",
                ".time.."));
  }

  ArchRule spiDependsOnJdkOnly() {
    return classes()
        .that()
        .resideInAnyPackage(qualifyPackages(".spi..", ".model.."))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(qualifyPackages("java..", "org.jspecify..", ".spi..", ".model.."));
  }

  ArchRule pluginsDependOnSpiOnly() {
    return noClasses()
        .that()
        .resideInAPackage(root + ".plugin..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(root + "..")
                .and(
                    not(resideInAnyPackage(qualifyPackages(".spi..", ".model..", ".plugin..")))
                        .and(resideInAnyPackage(root + ".."))));
  }

  ArchRule staticsAreFinal() {
    return fields().that().areStatic().should().beFinal();
  }

  ArchRule staticsAreNoExecutors() {
    return noFields().that().areStatic().should().haveRawType(assignableTo(Executor.class));
  }

  /** R6: code passes {@code Compat} as an object and never as a boolean. */
  ArchRule compatIsNeverBoolean() {
    return noFields()
        .that()
        .haveRawType(boolean.class)
        .or()
        .haveRawType(Boolean.class)
        .should()
        .haveNameMatching("(?i).*(kubernetes|kcm|compat).*");
  }

  ArchRule clientIsUsedInOnePackage() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(root + ".kube..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.kubernetes..", "io.fabric8..", "okhttp3..");
  }

  /** R7: a process that does not use the Model Context Protocol loads none of its classes. */
  ArchRule mcpSdkIsUsedInOnePackage() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(root + ".mcp..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.modelcontextprotocol..", "tools.jackson..", "reactor..", "com.networknt..");
  }

  ArchRule mcpIsIndependentOfCluster() {
    return noClasses()
        .that()
        .resideInAPackage(root + ".mcp..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(root + "..")
                .and(not(resideInAnyPackage(root + ".mcp..", root + ".text.."))));
  }

  ArchRule onlyReportersEmit() {
    return noClasses()
        .that()
        .resideInAPackage("..execute..")
        .and()
        .haveSimpleNameNotEndingWith("Reporter")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(System.Logger.class);
  }

  ArchRule guiceIsUsedInRootsOnly() {
    return noClasses()
        .that()
        .resideOutsideOfPackages(
            Stream.concat(
                    Stream.of(root + ".manager.."),
                    ControllerRules.CONTROLLERS.stream().map(name -> root + "." + name))
                .toArray(String[]::new))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.google.inject..");
  }

  ArchRule coreUsesNoInjection() {
    return noClasses()
        .that()
        .resideInAnyPackage("..decide..", root + ".spi..", root + ".model..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("jakarta.inject..", "com.google.inject..");
  }

  ArchRule decisionsAreSealed() {
    return classes()
        .that()
        .haveNameMatching(".*[.](\\w*Decision|\\w*Verdict|\\w*Result|Outcome|Failure|Attempt)")
        .should(
            new ArchCondition<JavaClass>("be sealed, with record or enum subtypes only") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                boolean isSealedSum =
                    type.getPermittedSubclasses()
                        .map(subtypes ->
                            subtypes.stream()
                                .allMatch(subtype -> subtype.isRecord() || subtype.isEnum()))
                        .orElse(false);
                events.add(
                    new SimpleConditionEvent(
                        type,
                        isSealedSum,
                        type.getName()
                            + (isSealedSum ? " is" : " is not")
                            + " a sealed sum of records"));
              }
            });
  }

  ArchRule packagesHaveNoCycles() {
    return slices().matching(root + ".(**)").should().beFreeOfCycles();
  }

  /** R11: {@link SourceRules} finds handlers that catch every {@code Throwable}. */
  ArchRule linkageErrorsAreCaughtInOnePlace() {
    return classes()
        .that()
        .haveSimpleNameNotStartingWith("Guarded")
        .and()
        .doNotHaveSimpleName("Worker")
        .should(
            new ArchCondition<JavaClass>("not catch linkage errors") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                type.getCodeUnits().stream()
                    .flatMap(unit -> unit.getTryCatchBlocks().stream())
                    .flatMap(block -> block.getCaughtThrowables().stream())
                    .filter(caught -> caught.isAssignableTo(LinkageError.class))
                    .forEach(caught ->
                        events.add(
                            SimpleConditionEvent.violated(
                                type, type.getName() + " catches " + caught.getName())));
              }
            });
  }

  ArchRule classNamesAreMeaningful() {
    return noClasses().should().haveNameMatching(".*(Utils?|Helpers?|Impl|Common|Base)");
  }

  /** R12: types nested in a hidden interface are exempt, although they are formally public. */
  ArchRule pluginsHaveOnePublicClass() {
    return classes()
        .that()
        .resideInAPackage(root + ".plugin..")
        .and()
        .haveSimpleNameNotEndingWith("Plugin")
        .and()
        .haveSimpleNameNotEndingWith("Connector")
        .and()
        .doNotHaveSimpleName("package-info")
        .and(not(NESTED_IN_HIDDEN_CLASS))
        .should()
        .notBePublic();
  }
}
