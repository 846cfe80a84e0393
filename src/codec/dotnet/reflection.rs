//! Reflection: from an object to its class and its members.

use std::any::Any;

use super::{Member, Object, Plain, Property, TypeInfo, Value};

/// An object of a class. [`reflect_class!`](crate::reflect_class) implements it.
///
/// There are two ways to a member, as in .NET. [`Member::get`] and [`Member::set`] are reflection: they take any object and
/// check its class on each call. The methods here are accessors compiled for the class: the object itself leads to them.
/// Those that are called compiled pass everything as an object, so that values are boxed; typed ones do without boxes.
pub trait Reflect: Any + Send + Sync {
    /// The class.
    fn class(&self) -> &'static TypeInfo;

    /// Hands out the value of the member at an index; null if there is none.
    fn compiled_get(&self, index: usize) -> Object<'_>;

    /// Gives the member at an index a value, or says that there is none or that the value is of another type.
    fn compiled_set(&mut self, index: usize, value: Value) -> bool;

    /// As [`Reflect::compiled_get`], without boxes.
    fn typed_get(&self, index: usize) -> Plain<Object<'_>>;

    /// As [`Reflect::compiled_set`], without boxes.
    fn typed_set(&mut self, index: usize, value: Plain<Value>) -> bool;
}

/// A `Member` of class `T`, told by a function from an object to the field: for [`reflect_class!`](crate::reflect_class).
pub const fn member_of<T, P: Property>(
    name: &'static str,
    _field: fn(&T) -> &P,
    get: fn(&dyn Reflect) -> Object<'_>,
    set: fn(&mut dyn Reflect, Value) -> bool,
) -> Member {
    Member::new::<P>(name, get, set)
}

/// Reads a field: for [`reflect_class!`](crate::reflect_class).
///
/// # Panics
/// If the owner is not a `T`.
#[inline]
pub fn get_member<T: Reflect, P: Property>(owner: &dyn Reflect, field: fn(&T) -> &P) -> Object<'_> {
    let owner = (owner as &dyn Any).downcast_ref().expect("an object has the members of its own class");
    field(owner).get()
}

/// Writes a field: for [`reflect_class!`](crate::reflect_class). Says whether the value was of the field's type.
///
/// # Panics
/// If the owner is not a `T`.
#[inline]
pub fn set_member<T: Reflect, P: Property>(
    owner: &mut dyn Reflect,
    value: Value,
    field: fn(&mut T) -> &mut P,
) -> bool {
    let owner = (owner as &mut dyn Any).downcast_mut().expect("an object has the members of its own class");
    P::from_value(value).map(|value| *field(owner) = value).is_some()
}

/// Makes the member table of a struct that implements `Default`, and implements [`Reflect`](crate::codec::dotnet::Reflect)
/// and [`Property`](crate::codec::dotnet::Property) for it.
///
/// Attributes stand in brackets: `size(bytes)`, `size_from(member)`, `fixed_string(bytes)`.
///
/// # Examples
/// ```
/// use alloclab::codec::dotnet::Reflect;
///
/// #[derive(Default)]
/// struct Stone {
///     length: u8,
///     name: String,
/// }
/// alloclab::reflect_class!(Stone = "Stone" { length => "Length", name => "Name" [size_from("Length")] });
///
/// let members = Stone::default().class().class().unwrap().members;
/// assert_eq!(members[1].name, "Name");
/// ```
#[macro_export]
macro_rules! reflect_class {
    ($class:ty = $class_name:literal {
        $($field:ident => $name:literal $([$($attribute:ident($argument:expr)),+])?),+ $(,)?
    }) => {
        const _: () = {
            use $crate::codec::dotnet as reflection;

            const CONSTRUCTOR: reflection::Constructor = || Box::new(<$class>::default());

            static CLASS: reflection::TypeInfo = reflection::TypeInfo {
                name: $class_name,
                kind: reflection::TypeKind::Class(reflection::ClassInfo {
                    members: &[$(
                        reflection::member_of(
                            $name,
                            |object: &$class| &object.$field,
                            |owner| reflection::get_member(owner, |object: &$class| &object.$field),
                            |owner, value| {
                                reflection::set_member(owner, value, |object: &mut $class| &mut object.$field)
                            },
                        )$($(.$attribute($argument))+)?
                    ),+],
                    create: CONSTRUCTOR,
                }),
            };

            impl reflection::Reflect for $class {
                fn class(&self) -> &'static reflection::TypeInfo {
                    &CLASS
                }

                fn compiled_get(&self, index: usize) -> reflection::Object<'_> {
                    let member = 0;
                    $(
                        if index == member {
                            return reflection::Property::get(&self.$field);
                        }
                        let member = member + 1;
                    )+
                    let _ = member;
                    reflection::Object::Null
                }

                fn compiled_set(&mut self, index: usize, value: reflection::Value) -> bool {
                    let member = 0;
                    $(
                        if index == member {
                            let value = reflection::Property::from_value(value);
                            return value.map(|value| self.$field = value).is_some();
                        }
                        let member = member + 1;
                    )+
                    let _ = member;
                    false
                }

                fn typed_get(&self, index: usize) -> reflection::Plain<reflection::Object<'_>> {
                    let member = 0;
                    $(
                        if index == member {
                            return reflection::Property::get_plain(&self.$field);
                        }
                        let member = member + 1;
                    )+
                    let _ = member;
                    reflection::Plain::Object(reflection::Object::Null)
                }

                fn typed_set(&mut self, index: usize, value: reflection::Plain<reflection::Value>) -> bool {
                    let member = 0;
                    $(
                        if index == member {
                            let value = reflection::Property::from_plain(value);
                            return value.map(|value| self.$field = value).is_some();
                        }
                        let member = member + 1;
                    )+
                    let _ = member;
                    false
                }
            }

            impl reflection::Property for $class {
                const CODE: reflection::TypeCode = reflection::TypeCode::Object;
                const FORM: reflection::Form = reflection::Form::Reference;
                const CONSTRUCTOR: Option<reflection::Constructor> = Some(CONSTRUCTOR);

                fn type_info() -> &'static reflection::TypeInfo {
                    &CLASS
                }

                fn get(&self) -> reflection::Object<'_> {
                    reflection::Object::Class(self)
                }

                fn from_value(value: reflection::Value) -> Option<Self> {
                    value.into_class::<Self>().map(|object| *object)
                }
            }
        };
    };
}
