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

/**
 * The layers, as rules. Written for any root package, so that each can be seen red on a fixture.
 */
final class LayerRules {
  /** Nobody beyond the package gets at it. */
  private static final DescribedPredicate<JavaClass> HIDDEN =
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

  /** Rules about what controllers know, for the same root. */
  ControllerRules controllers() {
    return new ControllerRules(root);
  }

  /** Rules about the shape of controllers, for the same root. */
  ShapeRules shape() {
    return new ShapeRules(root);
  }

  /** Rules about verdicts, for the same root. */
  VerdictRules verdicts() {
    return new VerdictRules(root);
  }

  /** Rules about names, for the same root. */
  WordRules words() {
    return new WordRules(root);
  }

  /** Rules about the way of a request, for the same root. */
  RequestRules requests() {
    return new RequestRules(root);
  }

  /** Rules about the guards of plugins, for the same root. */
  GuardRules guards() {
    return new GuardRules(root);
  }

  private String[] packages(String... names) {
    String[] full = new String[names.length];
    for (int i = 0; i < names.length; i++) {
      full[i] = names[i].startsWith(".") ? root + names[i] : names[i];
    }
    return full;
  }

  /**
   * R1: decisions depend on values only. A driver's terms and {@code Compat} are values too; a
   * driver's connection is not.
   */
  ArchRule decideSeesOnlyValues() {
    return classes()
        .that()
        .resideInAPackage("..decide..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                    packages(
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
                .and(not(assignableTo(java.time.Clock.class)))
                .and(not(Predicates.simpleNameStartingWith("CsiConnect"))));
  }

  /** R2: a decision can be replayed. */
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

  /** R2: and has no state. */
  ArchRule decideHasNoState() {
    return fields()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage("..decide..")
        .should()
        .beFinal();
  }

  /** R3: knowing and acting are strangers. */
  ArchRule observeNeverExecutes() {
    return noClasses()
        .that()
        .resideInAPackage("..observe..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("..execute..");
  }

  /** R3. */
  ArchRule executeNeverObserves() {
    return noClasses()
        .that()
        .resideInAPackage("..execute..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("..observe..");
  }

  /** R4: nobody knows the manager. */
  ArchRule nobodyKnowsTheManager() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(root + ".manager..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(root + ".manager..");
  }

  /** R4: the page shows what others explain: it sees the core, and no rule of a controller. */
  ArchRule theConsoleSeesTheCoreOnly() {
    return classes()
        .that()
        .resideInAPackage(root + ".console..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            packages(
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

  /** R5: what plugins see depends on the JDK alone. */
  ArchRule thePromiseIsJdkOnly() {
    return classes()
        .that()
        .resideInAnyPackage(packages(".spi..", ".model.."))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(packages("java..", "org.jspecify..", ".spi..", ".model.."));
  }

  /** R5: plugins see the promise and their own libraries. */
  ArchRule pluginsSeeThePromiseOnly() {
    return noClasses()
        .that()
        .resideInAPackage(root + ".plugin..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(packages(".."))
                .and(
                    not(resideInAnyPackage(packages(".spi..", ".model..", ".plugin..")))
                        .and(resideInAnyPackage(root + ".."))));
  }

  /** R6: no mutable globals. */
  ArchRule staticsAreFinal() {
    return fields().that().areStatic().should().beFinal();
  }

  /** R6: and no global services. */
  ArchRule noStaticServices() {
    return noFields().that().areStatic().should().haveRawType(assignableTo(Executor.class));
  }

  /** R6: and nobody turns Compat, which is one object, into a yes or no that travels. */
  ArchRule compatTravelsAsItself() {
    return noFields()
        .that()
        .haveRawType(boolean.class)
        .or()
        .haveRawType(Boolean.class)
        .should()
        .haveNameMatching("(?i).*(kubernetes|kcm|compat).*");
  }

  /** R7: one door to Kubernetes. */
  ArchRule oneDoorToKubernetes() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(root + ".kube..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.kubernetes..", "io.fabric8..", "okhttp3..");
  }

  /** R7: one door to the Model Context Protocol; whoever runs without it loads nothing of it. */
  ArchRule oneDoorToTheProtocol() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(root + ".mcp..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.modelcontextprotocol..", "tools.jackson..", "reactor..", "com.networknt..");
  }

  /** R7: and it knows nothing of clusters, only the filter for text. */
  ArchRule theProtocolKnowsNoCluster() {
    return noClasses()
        .that()
        .resideInAPackage(root + ".mcp..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(root + "..")
                .and(not(resideInAnyPackage(root + ".mcp..", root + ".text.."))));
  }

  /** R7: in execute only reporters talk. */
  ArchRule onlyReportersTalk() {
    return noClasses()
        .that()
        .resideInAPackage("..execute..")
        .and()
        .haveSimpleNameNotEndingWith("Reporter")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(System.Logger.class);
  }

  /** R8: Guice at the edge: where controllers declare themselves, and in the manager. */
  ArchRule guiceAtTheEdge() {
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

  /** R8: and no injection in the core. */
  ArchRule noInjectionInTheCore() {
    return noClasses()
        .that()
        .resideInAnyPackage("..decide..", root + ".spi..", root + ".model..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("jakarta.inject..", "com.google.inject..");
  }

  /** R9: answers are closed. */
  ArchRule answersAreClosed() {
    return classes()
        .that()
        .haveNameMatching(".*[.](\\w*Decision|\\w*Verdict|\\w*Result|Outcome|Failure|Attempt)")
        .should(
            new ArchCondition<JavaClass>("be sealed, with record or enum subtypes only") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                boolean closed =
                    type.getPermittedSubclasses()
                        .map(all -> all.stream().allMatch(s -> s.isRecord() || s.isEnum()))
                        .orElse(false);
                events.add(
                    new SimpleConditionEvent(
                        type,
                        closed,
                        type.getName()
                            + (closed ? " is" : " is not")
                            + " a sealed sum of records"));
              }
            });
  }

  /** R10: no cycles. */
  ArchRule noCycles() {
    return slices().matching(root + ".(**)").should().beFreeOfCycles();
  }

  /** R11: one net; the other half, catching everything, is Checkstyle's. */
  ArchRule onlyNetsCatchLinkage() {
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

  /** R12: honest names. */
  ArchRule noJunkDrawers() {
    return noClasses().should().haveNameMatching(".*(Utils?|Helpers?|Impl|Common|Base)");
  }

  /** R12: a plugin has one public face. What a hidden interface nests is public in name only. */
  ArchRule pluginsHaveOneFace() {
    return classes()
        .that()
        .resideInAPackage(root + ".plugin..")
        .and()
        .haveSimpleNameNotEndingWith("Plugin")
        .and()
        .haveSimpleNameNotEndingWith("Connector")
        .and()
        .doNotHaveSimpleName("package-info")
        .and(not(HIDDEN))
        .should()
        .notBePublic();
  }
}
