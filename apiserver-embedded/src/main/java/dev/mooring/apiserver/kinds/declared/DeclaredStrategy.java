package dev.mooring.apiserver.kinds.declared;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.codec.Schema.MessageField;
import dev.mooring.apiserver.kinds.declared.KindRules.Default;
import dev.mooring.apiserver.kinds.declared.KindRules.Rule;
import dev.mooring.apiserver.kinds.declared.MemberPath.Place;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.KindStrategy;
import dev.mooring.apiserver.kinds.rules.MemberDefaults;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The strategy of a kind whose rules are in {@code rules.txt}. */
public class DeclaredStrategy implements KindStrategy {
  private final String kindName;
  private final String messageName;
  private volatile @Nullable KindRules loadedRules;

  /**
   * Creates the strategy.
   *
   * @param kindName the name in {@code kinds.txt}
   * @param messageName the message in the schema
   */
  public DeclaredStrategy(String kindName, String messageName) {
    this.kindName = kindName;
    this.messageName = messageName;
  }

  private KindRules rules() {
    KindRules rules = loadedRules;
    if (rules == null) {
      rules = KindRules.of(kindName);
      loadedRules = rules;
    }
    return rules;
  }

  @Override
  public void setDefaults(JsonObject object) {
    for (Default rule : rules().defaults()) {
      for (Place place : rule.path().find(object, canCreateParents(rule, object))) {
        if (isUnset(place, rule.keyword()) && isFulfilled(rule, object, place)) {
          findValue(rule, object).ifPresent(value -> place.parent().add(place.name(), value));
        }
      }
    }
  }

  // A condition on the root is checked before objects are added; a copy adds none.
  private static boolean canCreateParents(Default rule, JsonObject object) {
    boolean isRootCondition = !rule.condition().isEmpty() && !rule.condition().startsWith(".");
    return rule.source().isEmpty()
        && (!isRootCondition || isFulfilled(rule, object, new Place(object, "", "")));
  }

  private static boolean isUnset(Place place, String keyword) {
    JsonElement value = place.value().orElse(null);
    return switch (keyword) {
      case "absent" -> value == null;
      case "nonzero" -> isEmpty(value) || "0".equals(String.valueOf(value));
      default -> isEmpty(value);
    };
  }

  private static boolean isEmpty(@Nullable JsonElement value) {
    return value == null
        || value instanceof JsonArray list && list.isEmpty()
        || value.isJsonPrimitive() && value.getAsString().isEmpty();
  }

  private static Optional<JsonElement> findValue(Default rule, JsonObject object) {
    return rule.source().isEmpty()
        ? Optional.of(rule.value().deepCopy())
        : rule.source().get().find(object, false).stream()
            .flatMap(source -> source.value().stream())
            .filter(value -> !(value instanceof JsonObject map && map.isEmpty()))
            .findFirst()
            .map(JsonElement::deepCopy);
  }

  // PATH=TEXT compares a text; PATH=* needs any value, PATH= none.
  private static boolean isFulfilled(Default rule, JsonObject object, Place place) {
    String condition = rule.condition();
    if (condition.isEmpty()) {
      return true;
    }
    String path = condition.substring(0, condition.indexOf('='));
    String expected = condition.substring(condition.indexOf('=') + 1);
    JsonElement value =
        path.startsWith(".")
            ? valueAt(place.parent(), path.substring(1))
            : valueAt(object, path.split("\\."));
    return switch (expected) {
      case "*" -> !isEmpty(value);
      case "" -> isEmpty(value);
      default -> value != null && value.isJsonPrimitive() && value.getAsString().equals(expected);
    };
  }

  @Override
  public void prepareCreate(JsonObject object) {
    MessageField status = Schema.getMessage(messageName).findField("status");
    if (status != null) {
      object.add("status", makeEmptyStatus(status));
    }
    if (!rules().find("generation").isEmpty()) {
      getOrAddChild(object, "metadata").addProperty("generation", 1);
    }
  }

  private static JsonObject makeEmptyStatus(MessageField status) {
    try {
      return JsonBodies.conform(new JsonObject(), status.getMessage(), new ArrayList<>()).object();
    } catch (BadBodyException e) {
      throw new IllegalStateException("an empty status is invalid", e);
    }
  }

  @Override
  public void prepareUpdate(JsonObject object, JsonObject old) {
    for (String member : findSubjects("kept")) {
      object.add(member, old.get(member).deepCopy());
    }
    boolean isChanged =
        findSubjects("generation").stream()
            .map(subject -> subject.split("\\."))
            .anyMatch(path -> !Objects.equals(valueAt(object, path), valueAt(old, path)));
    if (isChanged) {
      MemberDefaults.incrementGeneration(object, old);
    }
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    for (Rule rule : rules().rules()) {
      switch (rule.keyword()) {
        case "require" -> require(object, rule, errors);
        case "oneof" ->
            rule.path()
                .find(object, false)
                .forEach(p -> at(p, errors).checkOneOf(p.name(), rule.detail().split(",")));
        case "atleast" ->
            rule.path()
                .find(object, false)
                .forEach(p -> at(p, errors).checkAtLeast(p.name(), Long.parseLong(rule.detail())));
        default -> validateMore(rule.keyword(), rule.subject(), object, errors);
      }
    }
  }

  // Validates a rule that this class does not know.
  protected void validateMore(
      String keyword, String subject, JsonObject object, FieldErrors errors) {}

  protected final List<String> findSubjects(String keyword) {
    return rules().find(keyword).stream().map(Rule::subject).toList();
  }

  private static void require(JsonObject object, Rule rule, FieldErrors errors) {
    for (Place place : rule.path().find(object, false)) {
      boolean isZero = place.value().map(v -> v.toString().equals("0")).orElse(false);
      if (isZero || at(place, errors).isEmpty(place.name())) {
        errors.addRequired(place.field(), rule.detail());
      }
    }
  }

  private static ValidatedObject at(Place place, FieldErrors errors) {
    int end = place.field().length() - place.name().length() - 1;
    String parentField = end < 0 ? "" : place.field().substring(0, end);
    return new ValidatedObject(place.parent(), parentField, errors);
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, FieldErrors errors) {
    validate(object, errors);
    for (String field : findSubjects("fixed")) {
      String[] path = field.split("\\.");
      JsonElement value = valueAt(object, path);
      if (!Objects.equals(value, valueAt(old, path))) {
        errors.addImmutable(field, FieldErrors.toShownValue(value));
      }
    }
  }

  @Override
  public boolean hasDnsNames() {
    return rules().find("names").isEmpty();
  }

  @Override
  public @Nullable String findSelectableValue(JsonObject object, String field) {
    return findSubjects("select").contains(field) ? textOrZero(object, field) : null;
  }

  private static String textOrZero(JsonObject object, String field) {
    String text = textAt(object, field.split("\\."));
    return text.isEmpty() && field.startsWith("status.") ? "0" : text;
  }
}
