package dev.mooring.apiserver.http.read;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.http.request.QueryParameters;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.kinds.rules.ObjectNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

final class RequestSelectors {
  private static final String KEY_PATTERN = "([A-Za-z0-9][-A-Za-z0-9_./]*)";
  private static final Pattern SET_TERM =
      Pattern.compile("\\s*" + KEY_PATTERN + "\\s+(in|notin)\\s*\\(([^()]*)\\)\\s*");
  private static final Pattern EQUALITY_TERM =
      Pattern.compile("\\s*" + KEY_PATTERN + "\\s*(==|=|!=)\\s*([-A-Za-z0-9_.]*)\\s*");
  private static final Pattern COMPARISON_TERM =
      Pattern.compile("\\s*" + KEY_PATTERN + "\\s*([<>])\\s*(-?\\d{1,18})\\s*");
  private static final Pattern EXISTENCE_TERM =
      Pattern.compile("\\s*(!?)\\s*" + KEY_PATTERN + "\\s*");

  private RequestSelectors() {}

  static Predicate<JsonObject> parse(ResourceType type, QueryParameters query)
      throws StatusException {
    Predicate<JsonObject> conjunction = parseLabelSelector(query.getText("labelSelector"));
    for (String term : query.getFieldTerms()) {
      if (!term.isEmpty()) {
        conjunction = conjunction.and(parseFieldTerm(type, term));
      }
    }
    return conjunction;
  }

  private static Predicate<JsonObject> parseLabelSelector(String selector) throws StatusException {
    Predicate<JsonObject> conjunction = o -> true;
    if (selector.isBlank()) {
      return conjunction;
    }
    for (String term : splitTerms(selector)) {
      conjunction = conjunction.and(parseLabelTerm(term, selector));
    }
    return conjunction;
  }

  // Kinds that define their own selectable fields.
  private static final Set<ResourceType> KINDS_WITH_OWN_FIELDS =
      Set.of(
          KindCatalogue.EVENTS,
          KindCatalogue.NEW_EVENTS,
          KindCatalogue.NAMESPACES,
          KindCatalogue.NODES,
          KindCatalogue.PODS,
          KindCatalogue.SECRETS);

  private static List<String> splitTerms(String selector) {
    List<String> terms = new ArrayList<>();
    int depth = 0;
    int termStart = 0;
    for (int i = 0; i < selector.length(); i++) {
      char c = selector.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        terms.add(selector.substring(termStart, i));
        termStart = i + 1;
      }
    }
    terms.add(selector.substring(termStart));
    return terms;
  }

  private static Predicate<JsonObject> parseLabelTerm(String term, String selector)
      throws StatusException {
    Matcher matcher = SET_TERM.matcher(term);
    if (matcher.matches()) {
      String key = matcher.group(1);
      Set<String> values =
          new HashSet<>(Arrays.asList(matcher.group(3).strip().split("\\s*,\\s*", -1)));
      validateLabel(key, values);
      boolean isIn = matcher.group(2).equals("in");
      return o -> {
        String value = findLabelValue(o, key);
        return isIn
            ? value != null && values.contains(value)
            : value == null || !values.contains(value);
      };
    }
    matcher = EQUALITY_TERM.matcher(term);
    if (matcher.matches()) {
      String key = matcher.group(1);
      String expected = matcher.group(3);
      validateLabel(key, List.of(expected));
      boolean isNegated = matcher.group(2).equals("!=");
      return o -> expected.equals(findLabelValue(o, key)) != isNegated;
    }
    matcher = COMPARISON_TERM.matcher(term);
    if (matcher.matches()) {
      return makeComparison(
          matcher.group(1), matcher.group(2).equals(">"), Long.parseLong(matcher.group(3)));
    }
    matcher = EXISTENCE_TERM.matcher(term);
    if (matcher.matches()) {
      String key = matcher.group(2);
      boolean isNegated = !matcher.group(1).isEmpty();
      return o -> (findLabelValue(o, key) == null) == isNegated;
    }
    throw StatusException.badRequest(
        "unable to parse requirement: found '%s', in the selector '%s'"
            .formatted(term.strip(), selector));
  }

  private static void validateLabel(String key, Collection<String> values) throws StatusException {
    FieldErrors errors = new FieldErrors();
    ObjectNames.validateLabel(key, values, errors);
    if (!errors.isEmpty()) {
      StatusException.StatusCause first = errors.getCauses().getFirst();
      throw StatusException.badRequest(
          "unable to parse requirement: " + first.field() + ": " + first.message());
    }
  }

  private static Predicate<JsonObject> makeComparison(String key, boolean isGreater, long bound) {
    return o -> {
      try {
        String value = findLabelValue(o, key);
        return value != null
            && (isGreater ? Long.parseLong(value) > bound : Long.parseLong(value) < bound);
      } catch (NumberFormatException notANumber) {
        return false;
      }
    };
  }

  private static @Nullable String findLabelValue(JsonObject object, String key) {
    JsonElement value = valueAt(object, "metadata", "labels", key);
    return value == null ? null : value.getAsString();
  }

  private static Predicate<JsonObject> parseFieldTerm(ResourceType type, String term)
      throws StatusException {
    int inequalityIndex = term.indexOf("!=");
    int equalsIndex = inequalityIndex >= 0 ? inequalityIndex + 1 : term.indexOf('=');
    if (equalsIndex < 0) {
      throw StatusException.badRequest(
          "invalid field selector: \"%s\": invalid selector: '%s'; can't understand '%s'"
              .formatted(term, term, term));
    }
    String name = term.substring(0, inequalityIndex >= 0 ? inequalityIndex : equalsIndex);
    int valueStart = term.startsWith("==", equalsIndex) ? equalsIndex + 2 : equalsIndex + 1;
    String value =
        term.substring(valueStart).replace("\\,", ",").replace("\\=", "=").replace("\\\\", "\\");
    if (name.isEmpty() && value.isEmpty()) {
      return o -> true;
    }
    boolean isNegated = inequalityIndex >= 0;
    // other cluster-scoped kinds accept metadata.namespace and match no object
    boolean hasNamespaceField = type.namespaced() || !KINDS_WITH_OWN_FIELDS.contains(type);
    if (!name.equals("metadata.name")
        && !(hasNamespaceField && name.equals("metadata.namespace"))
        && type.strategy().findSelectableValue(new JsonObject(), name) == null) {
      if (type.isCustom() || KINDS_WITH_OWN_FIELDS.contains(type)) {
        throw StatusException.badRequest("field label not supported: " + name);
      }
      throw StatusException.badRequest(
          "\""
              + name
              + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
    }
    return o -> value.equals(findFieldValue(type, o, name)) != isNegated;
  }

  private static @Nullable String findFieldValue(
      ResourceType type, JsonObject object, String name) {
    return switch (name) {
      case "metadata.name" -> textAt(object, "metadata", "name");
      case "metadata.namespace" -> textAt(object, "metadata", "namespace");
      default -> type.strategy().findSelectableValue(object, name);
    };
  }
}
