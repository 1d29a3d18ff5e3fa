package bad.mooring.spi;

/** R11: two methods, and no guard class: an expression would stand for one of them only. */
public interface BadAbility {
  String ask(String what);

  default String askOften(String what) {
    return ask(what);
  }
}
