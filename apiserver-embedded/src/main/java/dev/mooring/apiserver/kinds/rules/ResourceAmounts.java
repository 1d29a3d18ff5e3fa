package dev.mooring.apiserver.kinds.rules;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

public final class ResourceAmounts {
  private static final Set<String> CONTAINER_RESOURCES =
      Set.of("cpu", "memory", "ephemeral-storage");
  private static final Set<String> OBJECT_COUNTS =
      Set.of(
          """
          pods resourcequotas services replicationcontrollers secrets configmaps
          persistentvolumeclaims services.nodeports services.loadbalancers
          """
              .split("\\s+"));
  private static final Set<String> QUOTA_RESOURCES =
      Set.of(
          """
          cpu memory ephemeral-storage requests.cpu requests.memory requests.storage
          requests.ephemeral-storage limits.cpu limits.memory limits.ephemeral-storage
          """
              .split("\\s+"));
  private static final String HUGE_PAGES_PREFIX = "hugepages-";

  private ResourceAmounts() {}

  /** Returns the amount; 0 if it is absent or no quantity. */
  public static BigDecimal parseAmount(@Nullable JsonElement amount) {
    return amount == null || amount.isJsonNull()
        ? BigDecimal.ZERO
        : Objects.requireNonNullElse(
            CanonicalValues.parseAmount(amount.getAsString()), BigDecimal.ZERO);
  }

  public static boolean isHugePages(String name) {
    return name.startsWith(HUGE_PAGES_PREFIX);
  }

  private static boolean isQuotaHugePages(String name) {
    return isHugePages(name) || name.startsWith("requests." + HUGE_PAGES_PREFIX);
  }

  private static boolean isNative(String name) {
    return !name.contains("/") || name.contains("kubernetes.io/");
  }

  static boolean isExtended(String name) {
    if (isNative(name) || name.startsWith("requests.")) {
      return false;
    }
    FieldErrors nameErrors = new FieldErrors();
    ObjectNames.validateQualifiedName("requests." + name, "", nameErrors);
    return nameErrors.isEmpty();
  }

  /** Returns whether a request may be less than its limit. */
  public static boolean canBeOvercommitted(String name) {
    return isNative(name) && !isHugePages(name);
  }

  /** Returns whether a quota may limit the resource. */
  public static boolean isQuotaResource(String name) {
    return QUOTA_RESOURCES.contains(name) || OBJECT_COUNTS.contains(name) || isQuotaHugePages(name);
  }

  /** Returns whether the name is valid; if not, adds an error. */
  public static boolean validateName(String name, String field, FieldErrors errors) {
    FieldErrors nameErrors = new FieldErrors();
    ObjectNames.validateQualifiedName(name, field, nameErrors);
    boolean isStandard = isQuotaResource(name) || name.equals("storage");
    if (nameErrors.isEmpty() && !name.contains("/") && !isStandard) {
      nameErrors.addInvalid(field, name, "must be a standard resource type or fully qualified");
    }
    errors.getCauses().addAll(nameErrors.getCauses());
    return nameErrors.isEmpty();
  }

  public static void validateContainerName(String name, String field, FieldErrors errors) {
    validateName(name, field, errors);
    if (!name.contains("/")) {
      if (!CONTAINER_RESOURCES.contains(name) && !isHugePages(name)) {
        errors.addInvalid(field, name, "must be a standard resource for containers");
      }
    } else if (!isNative(name) && !isExtended(name)) {
      errors.addInvalid(field, name, "doesn't follow extended resource name standard");
    }
  }

  public static void validateQuotaName(String name, String field, FieldErrors errors) {
    validateName(name, field, errors);
    if (!name.contains("/") && !isQuotaResource(name)) {
      errors.addInvalid(field, name, "must be a standard resource for quota");
    }
  }

  public static void validateAmount(
      String name, JsonElement value, String field, FieldErrors errors) {
    BigDecimal amount = parseAmount(value);
    if (amount.signum() < 0) {
      errors.addInvalid(field, value.getAsString(), "must be greater than or equal to 0");
    }
    boolean mustBeInteger = OBJECT_COUNTS.contains(name) || isExtended(name);
    if (mustBeInteger && amount.stripTrailingZeros().scale() > 0) {
      errors.addInvalid(field, value.getAsString(), "must be an integer");
    }
  }

  public static void validateRequirements(ValidatedObject resources) {
    validateRequirements(resources, false);
  }

  public static void validateRequirements(ValidatedObject resources, boolean isPod) {
    JsonObject limits = resources.getChild("limits").object();
    JsonObject requests = resources.getChild("requests").object();
    for (Map.Entry<String, JsonElement> limit : limits.entrySet()) {
      validateAmount(limit, resources.path("limits"), isPod, resources.errors());
    }
    for (Map.Entry<String, JsonElement> request : requests.entrySet()) {
      validateAmount(request, resources.path("requests"), isPod, resources.errors());
      String name = request.getKey();
      int difference = parseAmount(request.getValue()).compareTo(parseAmount(limits.get(name)));
      if (!limits.has(name)) {
        if (!canBeOvercommitted(name)) {
          resources.addRequired("limits", "Limit must be set for non overcommitable resources");
        }
      } else if (canBeOvercommitted(name) ? difference > 0 : difference != 0) {
        resources.addInvalid(
            "requests",
            request.getValue().getAsString(),
            "must be %sequal to %s limit of %s"
                .formatted(
                    canBeOvercommitted(name) ? "less than or " : "",
                    name,
                    limits.get(name).getAsString()));
      }
    }
    boolean hasHugePages = hasHugePages(limits) || hasHugePages(requests);
    if (hasHugePages && !hasComputeResource(limits) && !hasComputeResource(requests)) {
      resources.errors().addForbidden(resources.field(), "HugePages require cpu or memory");
    }
  }

  private static boolean hasHugePages(JsonObject amounts) {
    return amounts.keySet().stream().anyMatch(ResourceAmounts::isHugePages);
  }

  private static boolean hasComputeResource(JsonObject amounts) {
    return amounts.has("cpu") || amounts.has("memory");
  }

  private static void validateAmount(
      Map.Entry<String, JsonElement> amount, String field, boolean isPod, FieldErrors errors) {
    String path = field + "[" + amount.getKey() + "]";
    if (!isPod) {
      validateContainerName(amount.getKey(), path, errors);
    } else if (validateName(amount.getKey(), path, errors)
        && !List.of("cpu", "memory").contains(amount.getKey())
        && !isHugePages(amount.getKey())) {
      errors.addNotSupported(path, amount.getKey(), List.of("cpu", "hugepages-", "memory"));
    }
    validateAmount(amount.getKey(), amount.getValue(), path, errors);
    if (isHugePages(amount.getKey())) {
      BigDecimal pageSize =
          CanonicalValues.parseAmount(amount.getKey().substring(HUGE_PAGES_PREFIX.length()));
      boolean isMultiple =
          pageSize != null
              && pageSize.signum() > 0
              && parseAmount(amount.getValue()).remainder(pageSize).signum() == 0;
      if (!isMultiple) {
        errors.addInvalid(
            path,
            amount.getValue().getAsString(),
            "is not positive integer multiple of " + amount.getKey());
      }
    }
  }
}
