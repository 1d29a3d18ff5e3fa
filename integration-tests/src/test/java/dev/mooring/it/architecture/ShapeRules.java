package dev.mooring.it.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.stream.Stream;

/**
 * R14: a controller is a root package plus {@code observe}, {@code state}, {@code decide}, {@code
 * execute} and {@code explain}. Other code uses only the root and {@code explain}, and decisions
 * use only immutable input. The root package is a parameter, as in {@link LayerRules}.
 */
final class ShapeRules {
  private static final Set<String> PACKAGES =
      Set.of("", ".observe", ".state", ".decide", ".execute", ".explain");

  private static final Set<String> VISIBLE_PACKAGES = Set.of("", ".explain");

  /** Inner types of controllers that the manager may use, with the reason. */
  private static final Map<String, String> VISIBLE_TYPES =
      Map.of(
          "binder.decide.BinderPolicy", "configured differences from Kubernetes",
          "csi.decide.CapacityObjectCount", "metrics of capacity objects",
          "csi.decide.DriverOptions", "configured options of a driver",
          "csi.decide.TopologyRules", "configured topologies");

  /**
   * Classes that may schedule a one-time callback, with the reason. Repeated work is declared
   * instead.
   */
  private static final Map<String, String> SCHEDULING_CLASSES =
      Map.of(
          "attachdetach.execute.CsiDriverTracker", "tolerates the replacement of a driver",
          "attachdetach.execute.DetachLimiter", "limits detaches per second",
          "attachdetach.execute.AttachDetachOperations",
              "tries the next node after a rejection expires, and a detach that failed to begin",
          "csi.execute.DriverSession", "repeats calls of a driver",
          "csi.state.DriverPace", "wakes workers when a driver accepts the next call");

  /**
   * Classes that may multiply a duration, with the reason. Back-off is in {@code DoublingDelay}.
   */
  private static final Map<String, String> MULTIPLYING_CLASSES =
      Map.of(
          "kube.KubeListWatch", "time limit of an answer",
          "manager.plugin.Bulkhead", "pause after a slow call",
          "plugin.localpath.HelperPodRunner", "polls, and plugins see only the SPI");

  /** Mutable types that decisions may use, with the reason why they do not change meanwhile. */
  private static final Map<String, String> PERMITTED_MUTABLE_TYPES =
      Map.of("binder.decide.VolumeCatalogue", "unchanged under the lock of Reservations");

  /** Name prefixes of immutable types that are not records. */
  private static final Set<String> IMMUTABLE_NAMES =
      Set.of("java.lang.", "java.time.", "java.math.", "java.util.Optional", "java.util.regex.");

  private final String root;

  ShapeRules(String root) {
    this.root = root;
  }

  private String[] qualifyControllerPackages(String subpackage) {
    return ControllerRules.CONTROLLERS.stream()
        .map(name -> root + "." + name + subpackage)
        .toArray(String[]::new);
  }

  private String findController(JavaClass type) {
    return ControllerRules.CONTROLLERS.stream()
        .filter(name -> (type.getPackageName() + ".").startsWith(root + "." + name + "."))
        .findFirst()
        .orElse("");
  }

  private String nameWithinRoot(JavaClass type) {
    String name = type.getName().replaceFirst("[$].*", "");
    return name.startsWith(root + ".") ? name.substring(root.length() + 1) : name;
  }

  private String packageWithinController(JavaClass type, String controller) {
    return type.getPackageName().substring(root.length() + 1 + controller.length());
  }

  ArchRule controllersHaveSixPackages() {
    return classes()
        .that()
        .resideInAnyPackage(qualifyControllerPackages(".."))
        .should(
            new ArchCondition<JavaClass>("be in one of the six packages") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                if (!PACKAGES.contains(packageWithinController(type, findController(type)))) {
                  events.add(
                      SimpleConditionEvent.violated(
                          type, type.getName() + " is in a seventh package"));
                }
              }
            });
  }

  ArchRule innerClassesAreHidden() {
    return classes()
        .should(
            new ArchCondition<JavaClass>("not use inner classes of controllers") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                  JavaClass usedType = dependency.getTargetClass();
                  String controller = findController(usedType);
                  if (!controller.isEmpty()
                      && !VISIBLE_PACKAGES.contains(packageWithinController(usedType, controller))
                      && !controller.equals(findController(type))
                      && !VISIBLE_TYPES.containsKey(nameWithinRoot(usedType))) {
                    events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
                  }
                }
              }
            });
  }

  ArchRule rootsExportNeededTypesOnly() {
    return classes()
        .that()
        .resideInAnyPackage(qualifyControllerPackages(""))
        .and()
        .areTopLevelClasses()
        .and()
        .arePublic()
        .and(not(isNamedInFlags()))
        .should(
            new ArchCondition<JavaClass>("be needed outside the controller") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                boolean isUsedOutside =
                    type.getDirectDependenciesToSelf().stream()
                        .map(Dependency::getOriginClass)
                        .anyMatch(user -> !findController(user).equals(findController(type)));
                if (!isUsedOutside) {
                  events.add(
                      SimpleConditionEvent.violated(
                          type, type.getName() + " is public, but unused outside"));
                }
              }
            });
  }

  /**
   * A controller's name is a constant that the compiler inlines, so the using class keeps no
   * reference to it.
   */
  private static DescribedPredicate<JavaClass> isNamedInFlags() {
    return DescribedPredicate.describe(
        "are named in --controllers", type -> type.tryGetField("NAME").isPresent());
  }

  ArchRule decideSeesNothingMutable() {
    return classes()
        .that()
        .resideInAPackage("..decide..")
        .and()
        .haveNameNotMatching(".*[$][0-9]+") // classes generated by the compiler
        .should(
            new ArchCondition<JavaClass>("use no mutable types") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                streamUsedTypes(type)
                    .filter(
                        usedType -> !PERMITTED_MUTABLE_TYPES.containsKey(nameWithinRoot(usedType)))
                    .filter(usedType -> isMutable(usedType, new HashSet<>()))
                    .distinct()
                    .forEach(usedType ->
                        events.add(
                            SimpleConditionEvent.violated(
                                type, type.getName() + " uses " + usedType.getName())));
              }
            });
  }

  private Stream<JavaClass> streamUsedTypes(JavaClass type) {
    Stream<JavaClass> productTypes =
        type.getDirectDependenciesFromSelf().stream()
            .map(Dependency::getTargetClass)
            .filter(target -> target.getPackageName().startsWith(root));
    Stream<JavaClass> signatureTypes =
        type.getCodeUnits().stream()
            .filter(unit -> !isPrivateOrGenerated(unit))
            .flatMap(unit ->
                Stream.concat(
                    unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType())));
    return Stream.of(
            type.getFields().stream().map(JavaField::getRawType), productTypes, signatureTypes)
        .flatMap(types -> types)
        .filter(target -> !target.equals(type));
  }

  private static boolean isPrivateOrGenerated(JavaCodeUnit unit) {
    return unit.getModifiers().contains(JavaModifier.PRIVATE)
        || unit.getModifiers().contains(JavaModifier.SYNTHETIC)
        || unit.getName().equals("values");
  }

  private boolean isMutable(JavaClass type, Set<JavaClass> visitedTypes) {
    JavaClass componentType = type.getBaseComponentType();
    if (type.isPrimitive() || !visitedTypes.add(componentType)) {
      return false;
    }
    if (type.isArray()) {
      return !componentType.isEnum(); // constants of an enum
    }
    boolean isProductType = type.getPackageName().startsWith(root);
    if (type.isInterface()) {
      return isProductType
          && type.getAllSubclasses().stream().anyMatch(subtype -> isMutable(subtype, visitedTypes));
    }
    if (!isProductType) {
      return !type.isEnum() && IMMUTABLE_NAMES.stream().noneMatch(type.getName()::startsWith);
    }
    return type.getAllFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .filter(field -> field.getOwner().getPackageName().startsWith(root))
        .anyMatch(field ->
            !field.getModifiers().contains(JavaModifier.FINAL)
                || isMutable(field.getRawType(), visitedTypes));
  }

  ArchRule controllersHaveNoTimers() {
    return noClasses()
        .that()
        .resideInAnyPackage(qualifyControllerPackages(".."))
        .should()
        .dependOnClassesThat(assignableTo(Timer.class).or(assignableTo(TimerTask.class)))
        .orShould()
        .callMethod(Thread.class, "sleep", long.class);
  }

  ArchRule delaysHaveReasons() {
    return classes()
        .that()
        .resideInAnyPackage(qualifyControllerPackages(".."))
        .should(
            new ArchCondition<JavaClass>("schedule nothing without a reason") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                  if (call.getTargetOwner().isAssignableTo(Time.class)
                      && call.getName().equals("schedule")
                      && !SCHEDULING_CLASSES.containsKey(nameWithinRoot(type))) {
                    events.add(SimpleConditionEvent.violated(type, call.getDescription()));
                  }
                }
              }
            });
  }

  ArchRule backOffIsComputedInOneClass() {
    return classes()
        .should(
            new ArchCondition<JavaClass>("leave the doubling of delays to DoublingDelay") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                  if (call.getTargetOwner().isEquivalentTo(Duration.class)
                      && call.getName().equals("multipliedBy")
                      && !MULTIPLYING_CLASSES.containsKey(nameWithinRoot(type))) {
                    events.add(SimpleConditionEvent.violated(type, call.getDescription()));
                  }
                }
              }
            });
  }

  ArchRule verdictsArePassedOn() {
    return methods()
        .that()
        .areDeclaredInClassesThat(
            resideInAnyPackage(qualifyControllerPackages(".."))
                .and(not(resideInAnyPackage("..decide.."))))
        .should(
            new ArchCondition<JavaMethod>("pass on the verdicts that they return") {
              @Override
              public void check(JavaMethod method, ConditionEvents events) {
                JavaClass verdict = method.getRawReturnType();
                boolean isNewVerdict =
                    VerdictRules.isVerdict(verdict)
                        && !method.getModifiers().contains(JavaModifier.ABSTRACT)
                        && !isRecordAccessor(method)
                        && method.getMethodCallsFromSelf().stream()
                            .noneMatch(call -> returnsVerdict(call, verdict));
                if (isNewVerdict) {
                  events.add(
                      SimpleConditionEvent.violated(
                          method, method.getFullName() + " returns its own verdict"));
                }
              }
            });
  }

  private static boolean isRecordAccessor(JavaMethod method) {
    return method.getOwner().isRecord()
        && method.getRawParameterTypes().isEmpty()
        && method.getOwner().tryGetField(method.getName()).isPresent();
  }

  /** Also true if the verdict comes from code that runs under a lock. */
  private static boolean returnsVerdict(JavaMethodCall call, JavaClass verdict) {
    JavaClass returnedType = call.getTarget().getRawReturnType();
    return returnedType.isAssignableTo(verdict.getName())
        || call.getTargetOwner().isEquivalentTo(LiveDecisions.class)
        || call.getTargetOwner().equals(call.getOriginOwner())
            && returnedType.isEquivalentTo(Object.class);
  }

  /** Fields of the states of world are private, and only the populator writes the desired one. */
  ArchRule statesOfWorldHaveOneWriter() {
    String statePackage = root + ".attachdetach.state.";
    return classes()
        .that()
        .resideInAPackage(root + ".attachdetach..")
        .should(
            new ArchCondition<JavaClass>("leave the states of world to their writers") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                boolean isState =
                    Set.of("ActualStateOfWorld", "DesiredStateOfWorld")
                        .contains(type.getSimpleName());
                boolean isWritableByOthers =
                    !type.getModifiers().contains(JavaModifier.FINAL)
                        || type.getFields().stream()
                            .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                            .anyMatch(
                                field -> !field.getModifiers().contains(JavaModifier.PRIVATE));
                if (isState && isWritableByOthers) {
                  events.add(
                      SimpleConditionEvent.violated(
                          type, type.getName() + " is writable by others"));
                }
                for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                  if (call.getTargetOwner().getName().equals(statePackage + "DesiredStateOfWorld")
                      && Set.of("use", "end").contains(call.getName())
                      && !type.getSimpleName()
                          .matches("DesiredStatePopulator|DesiredStateOfWorld")) {
                    events.add(SimpleConditionEvent.violated(type, call.getDescription()));
                  }
                }
              }
            });
  }
}
