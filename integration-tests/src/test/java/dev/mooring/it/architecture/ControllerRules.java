package dev.mooring.it.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

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
 * R4: controllers declare themselves, and know neither each other nor what runs them. Written for
 * any root package, as {@link LayerRules}.
 */
final class ControllerRules {
  /** Modules of controllers. */
  static final List<String> CONTROLLERS =
      List.of(
          "binder",
          "attachdetach",
          "expander",
          "protection",
          "provisioner",
          "csi",
          "selinux",
          "snapshots");

  private final String root;

  ControllerRules(String root) {
    this.root = root;
  }

  /** R4: controllers do not know each other. */
  ArchRule controllersAreIslands() {
    return slices()
        .matching(root + ".(" + String.join("|", CONTROLLERS) + ")..")
        .should()
        .notDependOnEachOther();
  }

  /** R4: controllers, and groups of them, are declared; what runs them is the core's alone. */
  ArchRule controllersOnlyDeclare() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(root + ".reconcile")
        .should()
        .implement(Controller.class);
  }

  /** R4: and has no thread and no flag of its own. A driver's session is none of a controller's. */
  ArchRule controllersHaveNoThreads() {
    return ofControllers()
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

  /** R4: what they act through is the same for all. */
  ArchRule controllersShareTheirPorts() {
    return ofControllers().should().haveSimpleName("Ports");
  }

  /** R4: and so is what they know the cluster by. */
  ArchRule controllersShareTheirInformers() {
    return ofControllers()
        .should()
        .haveSimpleName("Informers")
        .orShould()
        .callConstructorWhere(target(owner(assignableTo(Informer.class))));
  }

  private GivenClassesConjunction ofControllers() {
    return noClasses()
        .that()
        .resideInAnyPackage(
            CONTROLLERS.stream().map(name -> root + "." + name + "..").toArray(String[]::new));
  }
}
