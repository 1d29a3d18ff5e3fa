package dev.mooring.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.live.Fact;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Quantity;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * R13: only {@code decide} makes verdicts; {@code execute} requests them and acts on them. The root
 * package is a parameter, as in {@link LayerRules}.
 */
final class VerdictRules {
  private static final String VERDICT_NAME = ".*(Verdict|Decision)";

  /**
   * Methods that query the server without returning a fact, with the reason why their result
   * destroys nothing.
   */
  private static final Map<String, String> PERMITTED_QUERIES =
      Map.of(
          "csi.execute.ClaimStatusWriter.write", "after a conflict the patch is computed again",
          "csi.execute.InputReader.read", "the source and the parameters of a new volume",
          "csi.execute.DataSourceReader.requireGrant", "ReferenceGrantRules decides",
          "csi.execute.VolumeSourceReader.read", "source of an attachment",
          "csi.execute.SnapshotProtection.protect", "the finalizer that is added",
          "csi.execute.SnapshotProtection.release",
              "the finalizer that is removed; PendingClones decides",
          "csi.execute.VolumeModifier.change", "new parameters of a volume");

  /** Results that report how a call ended or what was requested. They decide nothing. */
  private static final Set<String> REPORTED_OUTCOMES =
      Set.of(
          "attachdetach.execute.NodeStatusWriter$PatchResult",
          "attachdetach.execute.AttachCallResult",
          "csi.execute.FillSourceReader$DataRequest");

  private final String root;

  VerdictRules(String root) {
    this.root = root;
  }

  private String[] qualifyControllerPackages(String subpackage) {
    return ControllerRules.CONTROLLERS.stream()
        .map(name -> root + "." + name + subpackage)
        .toArray(String[]::new);
  }

  static boolean isVerdict(JavaClass type) {
    return type.getPackageName().contains(".decide")
        && Stream.concat(Stream.of(type), type.getRawInterfaces().stream())
            .anyMatch(candidate -> candidate.getName().matches(VERDICT_NAME));
  }

  private String nameWithinRoot(String name) {
    return name.substring(root.length() + 1);
  }

  /** R13: a response of the server becomes a fact for a decision, never a boolean. */
  ArchRule queriesReturnFacts() {
    return methods()
        .that()
        .areDeclaredInClassesThat()
        .resideInAnyPackage(qualifyControllerPackages(".execute.."))
        .should(
            new ArchCondition<JavaMethod>("query the server through decisions, or return a fact") {
              @Override
              public void check(JavaMethod method, ConditionEvents events) {
                boolean queriesServer =
                    method.getMethodCallsFromSelf().stream()
                        .filter(call -> call.getTargetOwner().isAssignableTo(LiveReader.class))
                        .anyMatch(call -> Set.of("read", "list").contains(call.getName()));
                if (queriesServer
                    && !returnsFact(method)
                    && !PERMITTED_QUERIES.containsKey(qualifiedName(method))) {
                  events.add(
                      SimpleConditionEvent.violated(
                          method,
                          method.getFullName() + " queries the server and judges the result"));
                }
              }
            });
  }

  private String qualifiedName(JavaMethod method) {
    return nameWithinRoot(method.getOwner().getName()) + "." + method.getName();
  }

  private boolean returnsFact(JavaMethod method) {
    JavaClass returned = method.getRawReturnType();
    return Stream.of(Fact.class, ReadResult.class).anyMatch(returned::isAssignableTo)
        || returned.getName().equals(root + ".attachdetach.decide.Live");
  }

  ArchRule verdictsAreMadeInDecide() {
    return classes()
        .that()
        .resideInAnyPackage(qualifyControllerPackages(".."))
        .and()
        .resideOutsideOfPackage("..decide..")
        .should(
            new ArchCondition<JavaClass>("make no verdicts") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                for (JavaConstructorCall call : type.getConstructorCallsFromSelf()) {
                  JavaClass createdType = call.getTargetOwner();
                  if (isVerdict(createdType)) {
                    events.add(SimpleConditionEvent.violated(type, call.getDescription()));
                  }
                }
              }
            });
  }

  ArchRule outcomesAreDeclaredInDecide() {
    return classes()
        .that()
        .resideInAnyPackage(qualifyControllerPackages(".execute.."))
        .should(
            new ArchCondition<JavaClass>("not declare outcomes") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                boolean isOutcome =
                    type.isInterface() && type.getPermittedSubclasses().isPresent()
                        || type.getName().matches(VERDICT_NAME);
                if (isOutcome && !REPORTED_OUTCOMES.contains(nameWithinRoot(type.getName()))) {
                  events.add(
                      SimpleConditionEvent.violated(type, type.getName() + " belongs into decide"));
                }
              }
            });
  }

  /** R13: one class compares a volume with a claim; all others call it. */
  ArchRule volumesAreComparedInOneClass() {
    return noClasses()
        .that()
        .resideInAPackage(root + ".binder..")
        .and()
        .doNotHaveSimpleName("VolumeCriterion")
        .should()
        .callMethod(Quantity.class, "covers", Quantity.class)
        .orShould()
        .callMethod(AccessModes.class, "offers", AccessModes.class);
  }
}
