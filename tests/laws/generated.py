"""Values of any type of the format, drawn for hypothesis from the types themselves."""

from hypothesis import strategies as st
from msgspec import inspect

from agentaudit.encoding.canonical import INTEGER_MAX

Drawn = st.SearchStrategy[object]


def values(kind: object) -> Drawn:
    """Values of a `Frozen` class or of a union of them; a field with a default is left out now and then."""
    return _of(inspect.type_info(kind))


def _of(info: inspect.Type) -> Drawn:
    match info:
        case inspect.StructType():
            return _struct(info)
        case inspect.UnionType():
            return st.one_of([_of(one) for one in info.types])
        case inspect.VarTupleType():
            return st.lists(_of(info.item_type), max_size=3).map(tuple)
        case inspect.TupleType():
            return st.tuples(*(_of(one) for one in info.item_types))
        case _:
            return _plain(info)


def _plain(info: inspect.Type) -> Drawn:
    match info:
        case inspect.StrType():
            return st.text(max_size=12)
        case inspect.IntType():
            return st.integers(-INTEGER_MAX, INTEGER_MAX)
        case inspect.LiteralType():
            return st.sampled_from(info.values)
        case inspect.BoolType() | inspect.NoneType():
            return st.booleans() if isinstance(info, inspect.BoolType) else st.none()
        case _:
            raise TypeError(f"no type of the format: {type(info).__name__}")


def _struct(info: inspect.StructType) -> Drawn:
    needed = {field.name: _of(field.type) for field in info.fields if field.required}
    spare = {field.name: _of(field.type) for field in info.fields if not field.required}
    drawn = st.fixed_dictionaries(needed, optional=spare)
    return drawn.map(lambda words: info.cls(**words))
