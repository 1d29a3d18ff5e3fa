package bad.mooring.spi;

/** R11: has two methods and no guard class, and a lambda implements only one of them. */
public interface BadAbility {
  String ask(String what);

  default String askOften(String what) {
    return ask(what);
  }
}
