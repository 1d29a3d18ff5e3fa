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
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.stream.Stream;

/**
 * R14: a controller is a root package plus {@code observe}, {@code state}, {@code decide}, {@code
 * execute} and {@code explain}. Others see only the root and {@code explain}, and decisions see
 * only immutable input. Written for any root package, like {@link LayerRules}.
 */
final class ShapeRules {
  private static final Set<String> PACKAGES =
      Set.of("", ".observe", ".state", ".decide", ".execute", ".explain");

  private static final Set<String> SHOWN = Set.of("", ".explain");

  /** Inner types of controllers that the manager may see, with the reason. */
  private static final Map<String, String> EXPOSED =
      Map.of(
          "binder.decide.BinderPolicy", "configured differences from Kubernetes",
          "csi.decide.CapacityObjectCount", "metrics of capacity objects",
          "csi.decide.DriverOptions", "configured options of a driver",
          "csi.decide.TopologyRules", "configured topologies");

  /**
   * Classes that may schedule a one-time callback, with the reason. Repeated work is declared
   * instead.
   */
  private static final Map<String, String> DELAYS =
      Map.of(
          "attachdetach.execute.CsiDriverTracker", "tolerates the replacement of a driver",
          "attachdetach.execute.DetachLimiter", "limits detaches per second",
          "attachdetach.execute.AttachDetachOperations",
              "tries the next node after a rejection expires, and a detach that failed to begin",
          "csi.execute.DriverSession", "repeats calls of a driver");

  /** Mutable types that decisions may see, with the reason why they do not change meanwhile. */
  private static final Map<String, String> CHANGING =
      Map.of("binder.decide.VolumeCatalogue", "unchanged under the lock of Reservations");

  /** Immutable types that are not records. */
  private static final Set<String> VALUES =
      Set.of("java.lang.", "java.time.", "java.math.", "java.util.Optional", "java.util.regex.");

  private final String root;

  ShapeRules(String root) {
    this.root = root;
  }

  private String[] controllers(String inside) {
    return ControllerRules.CONTROLLERS.stream()
        .map(name -> root + "." + name + inside)
        .toArray(String[]::new);
  }

  private String controllerOf(JavaClass type) {
    return ControllerRules.CONTROLLERS.stream()
        .filter(name -> (type.getPackageName() + ".").startsWith(root + "." + name + "."))
        .findFirst()
        .orElse("");
  }

  private String within(JavaClass type) {
    String name = type.getName().replaceFirst("[$].*", "");
    return name.startsWith(root + ".") ? name.substring(root.length() + 1) : name;
  }

  private String inside(JavaClass type, String controller) {
    return type.getPackageName().substring(root.length() + 1 + controller.length());
  }

  ArchRule sixPackages() {
    return classes()
        .that()
        .resideInAnyPackage(controllers(".."))
        .should(
            new ArchCondition<JavaClass>("be in one of the six packages") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                if (!PACKAGES.contains(inside(type, controllerOf(type)))) {
                  events.add(
                      SimpleConditionEvent.violated(
                          type, type.getName() + " is in a seventh package"));
                }
              }
            });
  }

  ArchRule insidesAreHidden() {
    return classes()
        .should(
            new ArchCondition<JavaClass>("not use inner classes of controllers") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                  JavaClass seen = dependency.getTargetClass();
                  String controller = controllerOf(seen);
                  if (!controller.isEmpty()
                      && !SHOWN.contains(inside(seen, controller))
                      && !controller.equals(controllerOf(type))
                      && !EXPOSED.containsKey(within(seen))) {
                    events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
                  }
                }
              }
            });
  }

  ArchRule rootsShowWhatIsNeeded() {
    return classes()
        .that()
        .resideInAnyPackage(controllers(""))
        .and()
        .areTopLevelClasses()
        .and()
        .arePublic()
        .and(not(isNamedInFlags()))
        .should(
            new ArchCondition<JavaClass>("be needed outside the controller") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                boolean needed =
                    type.getDirectDependenciesToSelf().stream()
                        .map(Dependency::getOriginClass)
                        .anyMatch(by -> !controllerOf(by).equals(controllerOf(type)));
                if (!needed) {
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
                seenBy(type)
                    .filter(seen -> !CHANGING.containsKey(within(seen)))
                    .filter(seen -> isMutable(seen, new HashSet<>()))
                    .distinct()
                    .forEach(seen ->
                        events.add(
                            SimpleConditionEvent.violated(
                                type, type.getName() + " sees " + seen.getName())));
              }
            });
  }

  private Stream<JavaClass> seenBy(JavaClass type) {
    Stream<JavaClass> ours =
        type.getDirectDependenciesFromSelf().stream()
            .map(Dependency::getTargetClass)
            .filter(seen -> seen.getPackageName().startsWith(root));
    Stream<JavaClass> passed =
        type.getCodeUnits().stream()
            .filter(unit -> !isInternal(unit))
            .flatMap(unit ->
                Stream.concat(
                    unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType())));
    return Stream.of(type.getFields().stream().map(JavaField::getRawType), ours, passed)
        .flatMap(all -> all)
        .filter(seen -> !seen.equals(type));
  }

  private static boolean isInternal(JavaCodeUnit unit) {
    return unit.getModifiers().contains(JavaModifier.PRIVATE)
        || unit.getModifiers().contains(JavaModifier.SYNTHETIC)
        || unit.getName().equals("values");
  }

  private boolean isMutable(JavaClass type, Set<JavaClass> above) {
    JavaClass one = type.getBaseComponentType();
    if (type.isPrimitive() || !above.add(one)) {
      return false;
    }
    if (type.isArray()) {
      return !one.isEnum(); // constants of an enum
    }
    boolean ours = type.getPackageName().startsWith(root);
    if (type.isInterface()) {
      return ours && type.getAllSubclasses().stream().anyMatch(sub -> isMutable(sub, above));
    }
    if (!ours) {
      return !type.isEnum() && VALUES.stream().noneMatch(type.getName()::startsWith);
    }
    return type.getAllFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .filter(field -> field.getOwner().getPackageName().startsWith(root))
        .anyMatch(field ->
            !field.getModifiers().contains(JavaModifier.FINAL)
                || isMutable(field.getRawType(), above));
  }

  ArchRule controllersHaveNoTimers() {
    return noClasses()
        .that()
        .resideInAnyPackage(controllers(".."))
        .should()
        .dependOnClassesThat(assignableTo(Timer.class).or(assignableTo(TimerTask.class)))
        .orShould()
        .callMethod(Thread.class, "sleep", long.class);
  }

  ArchRule delaysHaveReasons() {
    return classes()
        .that()
        .resideInAnyPackage(controllers(".."))
        .should(
            new ArchCondition<JavaClass>("schedule nothing without a reason") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                  if (call.getTargetOwner().isAssignableTo(Time.class)
                      && call.getName().equals("schedule")
                      && !DELAYS.containsKey(within(type))) {
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
            resideInAnyPackage(controllers("..")).and(not(resideInAnyPackage("..decide.."))))
        .should(
            new ArchCondition<JavaMethod>("pass on the verdicts that they return") {
              @Override
              public void check(JavaMethod method, ConditionEvents events) {
                JavaClass verdict = method.getRawReturnType();
                boolean isOwn =
                    VerdictRules.isVerdict(verdict)
                        && !method.getModifiers().contains(JavaModifier.ABSTRACT)
                        && !isComponent(method)
                        && method.getMethodCallsFromSelf().stream()
                            .noneMatch(call -> passesOn(call, verdict));
                if (isOwn) {
                  events.add(
                      SimpleConditionEvent.violated(
                          method, method.getFullName() + " returns its own verdict"));
                }
              }
            });
  }

  private static boolean isComponent(JavaMethod method) {
    return method.getOwner().isRecord()
        && method.getRawParameterTypes().isEmpty()
        && method.getOwner().tryGetField(method.getName()).isPresent();
  }

  /** Also true if the verdict comes from code that runs under a lock. */
  private static boolean passesOn(JavaMethodCall call, JavaClass verdict) {
    JavaClass given = call.getTarget().getRawReturnType();
    return given.isAssignableTo(verdict.getName())
        || call.getTargetOwner().isEquivalentTo(LiveDecisions.class)
        || call.getTargetOwner().equals(call.getOriginOwner())
            && given.isEquivalentTo(Object.class);
  }

  /** Fields of the states of world are private, and only the populator writes the desired one. */
  ArchRule oneWriterOfTheStates() {
    String state = root + ".attachdetach.state.";
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
                boolean isOpen =
                    !type.getModifiers().contains(JavaModifier.FINAL)
                        || type.getFields().stream()
                            .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                            .anyMatch(
                                field -> !field.getModifiers().contains(JavaModifier.PRIVATE));
                if (isState && isOpen) {
                  events.add(
                      SimpleConditionEvent.violated(type, type.getName() + " lets others write"));
                }
                for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                  if (call.getTargetOwner().getName().equals(state + "DesiredStateOfWorld")
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
