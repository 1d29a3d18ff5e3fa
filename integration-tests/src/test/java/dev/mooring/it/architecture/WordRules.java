package dev.mooring.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * R12: the field's words, in the names of types, nested or not, methods and fields. CONTRIBUTING
 * has the glossary. A word is looked for where a word of the name begins: no {@code plane} is a
 * lane, and no {@code arrival} a rival. Written for any root package, as {@link LayerRules}.
 */
final class WordRules {
  /** Words of our own for which the field has others: begins of words, or whole ones. */
  private static final List<String> OWN_WORDS =
      List.of(
          "narrat",
          "ledger",
          "rival",
          "taste",
          "market",
          "scrub",
          "recipe",
          "brake",
          "lane",
          "baton",
          "intake",
          "adoption",
          "annealing",
          "hurry",
          "shel(f|ves)",
          "figures?_",
          "making",
          "takes?_back",
          "glance",
          "doors?_",
          "edition");

  /** Those that are plain English for a method or a field, and say nothing as a type. */
  private static final List<String> OWN_TYPES = List.of("told_", "news_", "turn_");

  /** Those that are words of our own for what is in a package, and plain English elsewhere. */
  private static final Map<String, List<String>> OF_PACKAGES =
      Map.of(
          "manager.plugin", List.of("units?_", "cop(y|ies)_", "rests?_"),
          "attachdetach", List.of("turns?_"));

  /** Those that stand for things of a type: verbs are RBAC's, causes the server's answer's. */
  private static final Map<String, String> OF_TYPES =
      Map.of("Handlers", "verbs?_", "FieldErrors", "causes?_");

  private final String root;

  WordRules(String root) {
    this.root = root;
  }

  /** R12: no name has a word of our own. */
  ArchRule theFieldsWords() {
    return classes()
        .should(
            new ArchCondition<JavaClass>("have names in the field's words") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                words(type)
                    .forEach(found -> events.add(SimpleConditionEvent.violated(type, found)));
              }
            });
  }

  /** R12: an event handler says what changed; watching is what reflectors do. */
  ArchRule handlersSayWhatChanged() {
    return methods()
        .that(
            DescribedPredicate.describe(
                "are told of a change",
                (JavaMethod method) ->
                    method.getRawParameterTypes().stream()
                        .anyMatch(type -> type.getSimpleName().equals("Change"))))
        .should()
        .haveNameNotMatching("watch\\w*");
  }

  private Stream<String> words(JavaClass type) {
    return Stream.of(
            found(type, type.getSimpleName(), Stream.concat(own(type), OWN_TYPES.stream())),
            type.getFields().stream()
                .flatMap(field -> found(type, field.getName(), member(type, field.getRawType()))),
            type.getMethods().stream()
                .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC))
                .flatMap(method ->
                    found(type, method.getName(), member(type, method.getRawReturnType()))))
        .flatMap(all -> all);
  }

  private Stream<String> own(JavaClass type) {
    String within = below(type) + ".";
    return Stream.concat(
        OWN_WORDS.stream(),
        OF_PACKAGES.entrySet().stream()
            .filter(of -> within.startsWith(of.getKey() + "."))
            .flatMap(of -> of.getValue().stream()));
  }

  private Stream<String> member(JavaClass type, JavaClass its) {
    return Stream.concat(own(type), Stream.ofNullable(OF_TYPES.get(its.getSimpleName())));
  }

  private Stream<String> found(JavaClass type, String name, Stream<String> words) {
    String split = split(name);
    return words
        .filter(word -> Pattern.compile("_" + word).matcher(split).find())
        .map(word -> type.getName() + " has the name " + name + ", of our own words: " + word);
  }

  /** Its package below the root. */
  private String below(JavaClass type) {
    String of = type.getPackageName();
    return of.equals(root) ? "" : of.substring(root.length() + 1);
  }

  /** Each word of the name in lower case, between underscores. */
  private static String split(String name) {
    return "_" + name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT) + "_";
  }
}
