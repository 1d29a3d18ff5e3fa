package dev.mooring.it.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import dev.mooring.informer.Informer;
import dev.mooring.reconcile.Controller;
import dev.mooring.thread.VitalThreads;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * R4: controllers depend neither on each other nor on the code that runs them. The root package is
 * a parameter, as in {@link LayerRules}.
 */
final class ControllerRules {
  static final List<String> CONTROLLERS =
      List.of(
          "binder",
          "attachdetach",
          "expander",
          "protection",
          "provisioner",
          "csi",
          "selinux",
          "populator",
          "snapshots");

  private final String root;

  ControllerRules(String root) {
    this.root = root;
  }

  ArchRule controllersAreIndependent() {
    return slices()
        .matching(root + ".(" + String.join("|", CONTROLLERS) + ")..")
        .should()
        .notDependOnEachOther();
  }

  ArchRule controllersOnlyDeclare() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(root + ".reconcile")
        .should()
        .implement(Controller.class);
  }

  /** Driver sessions may own threads; they belong to no controller. */
  ArchRule controllersHaveNoThreads() {
    return noControllerClasses()
        .and()
        .doNotHaveFullyQualifiedName(root + ".csi.execute.DriverSession")
        .should()
        .dependOnClassesThat(
            assignableTo(Executor.class)
                .or(assignableTo(ThreadFactory.class))
                .or(assignableTo(AtomicBoolean.class))
                .or(assignableTo(VitalThreads.class)))
        .orShould()
        .callMethodWhere(
            target(owner(assignableTo(Thread.class)))
                .and(target(nameMatching("start|startVirtualThread|ofVirtual|ofPlatform"))));
  }

  ArchRule controllersShareTheirPorts() {
    return noControllerClasses().should().haveSimpleName("Ports");
  }

  ArchRule controllersShareTheirInformers() {
    return noControllerClasses()
        .should()
        .haveSimpleName("Informers")
        .orShould()
        .callConstructorWhere(target(owner(assignableTo(Informer.class))));
  }

  private GivenClassesConjunction noControllerClasses() {
    return noClasses()
        .that()
        .resideInAnyPackage(
            CONTROLLERS.stream().map(name -> root + "." + name + "..").toArray(String[]::new));
  }

  /** R12: event handlers are named after the change; only reflectors watch. */
  ArchRule handlersAreNamedAfterChanges() {
    return methods()
        .that(
            DescribedPredicate.describe(
                "handle a change",
                (JavaMethod method) ->
                    method.getRawParameterTypes().stream()
                        .anyMatch(type -> type.getSimpleName().equals("Change"))))
        .should()
        .haveNameNotMatching("watch\\w*");
  }
}
